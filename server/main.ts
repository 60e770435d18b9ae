/** The process. It tells Node how to load the service, which must happen before the service's first import. */
import { requireNode } from "./process/require-node.mjs";

requireNode();
const { enableCompileCache, setSourceMapsSupport } = await import("node:module");
const { dist } = await import("./platform/paths.ts");
// Stacks in the log name files and lines of the sources. With --enable-source-maps, pino would read all maps at the
// start.
setSourceMapsSupport(true);
// If the folder isn't writable, Node works without the cache.
enableCompileCache(`${dist}/compile-cache`);
const { start } = await import("./start.ts");
const { StartError } = await import("./platform/errors.ts");
const { toStartError } = await import("./store/open-store.ts");
try {
  await start();
} catch (error) {
  const reason = toStartError(error);
  if (!(reason instanceof StartError)) throw reason;
  for (const fault of reason.faults) console.error(fault);
  process.exit(1);
}
