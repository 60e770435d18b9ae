/**
 * The process. It tells Node how to load the service, which has to come before the first import of it.
 */
import { requireNode } from "./require-node.mjs";

requireNode();
const { enableCompileCache, setSourceMapsSupport } = await import("node:module");
const { dist } = await import("./root.ts");
// The log's stacks name files and lines of the sources (test/build/server.test.ts). With --enable-source-maps, pino
// would read all maps at the start.
setSourceMapsSupport(true);
// Where nobody may write there, Node does without (test/build/server.test.ts).
enableCompileCache(`${dist}/compile-cache`);
await import("./start.ts");
