/** The oldest major version of Node that runs the service, and that the build writes for. */
export const oldestNode = 26;

/**
 * Ends the process with one sentence where Node is too old. An old Node must be able to load this file and its
 * importer, so everything else is imported after this call.
 */
export function requireNode() {
  const version = process.version.slice(1);
  if (Number.parseInt(version, 10) >= oldestNode) return;
  process.stderr.write(`Storefront Fragments needs Node ${oldestNode} or newer; this is ${version}.\n`);
  process.exit(1);
}
