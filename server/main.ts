/**
 * The process. It tells Node how to load the service, which has to come before the first import of it.
 */
import { enableCompileCache, setSourceMapsSupport } from "node:module";
import { join } from "node:path";
import { dist } from "./root.ts";

// The log's stacks name files and lines of the sources (test/build/server.test.ts). With --enable-source-maps, pino
// would read all maps at the start.
setSourceMapsSupport(true);
// Where nobody may write there, Node does without (test/build/server.test.ts).
enableCompileCache(join(dist, "compile-cache"));
await import("./start.ts");
