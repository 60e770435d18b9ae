/**
 * The process. It tells Node how to load the service, which has to come before the first import of it.
 */
import { requireNode } from "./process/require-node.mjs";

requireNode();
const { enableCompileCache, setSourceMapsSupport } = await import("node:module");
const { dist } = await import("./platform/paths.ts");
// Stacks in the log name files and lines of the sources. With --enable-source-maps, pino would read all maps at the
// start.
setSourceMapsSupport(true);
// Where the folder isn't writable, Node does without the cache.
enableCompileCache(`${dist}/compile-cache`);
await import("./start.ts");
