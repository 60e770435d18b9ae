/**
 * The process that `dev` starts, and restarts when code or variables change: node server/commands/dev/main.js <the port
 * that browsers use> [quiet]
 */
import { enableCompileCache, setSourceMapsSupport } from "node:module";
import { inspect } from "node:util";
import { StartError } from "../../platform/errors.ts";
import { dist } from "../../platform/paths.ts";

// Ctrl-C reaches this process, too, but it ends only when its parent has ended.
process.on("SIGINT", () => undefined).on("disconnect", () => process.exit());
process.on("uncaughtException", reportCrash).on("unhandledRejection", reportCrash);
setSourceMapsSupport(true);
enableCompileCache(`${dist}/compile-cache`);
const [, , port, quiet] = process.argv;
const { serveShop } = await import("./serve-shop.ts");
await serveShop(Number(port), quiet !== undefined);

function reportCrash(error: unknown) {
  const faults = error instanceof StartError ? error.faults : [`The service has crashed. ${inspect(error)}`];
  process.send?.({ faults }, () => process.exit(1));
}
