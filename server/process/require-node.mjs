/** The oldest major version of Node that runs the service. The build targets it. */
export const oldestNode = 26;

/** Whether this Node is older than that. An old Node must be able to load this file and its importers. */
export const isNodeOld = Number.parseInt(process.version.slice(1), 10) < oldestNode;

/** Ends the process with one sentence if Node is too old. Everything else is imported after this call. */
export function requireNode() {
  if (!isNodeOld) return;
  process.stderr.write(
    `Storefront Fragments needs Node ${oldestNode} or newer; this is ${process.version.slice(1)}.\n`,
  );
  process.exit(1);
}
