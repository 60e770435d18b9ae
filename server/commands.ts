/**
 * Does what operators want done with the store. It reads the same environment as the service.
 *
 *   node dist/server/commands.js --help
 */
import { requireNode } from "./require-node.mjs";

requireNode();
const { runCommandLine } = await import("./commands/run-command-line.ts");
await runCommandLine(process.argv.slice(2));
