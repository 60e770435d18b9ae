/**
 * Runs an operators' command. It reads the same environment as the service.
 *
 *   node dist/server/commands/main.js --help
 */
import { requireNode } from "../process/require-node.mjs";

requireNode();
const { runCommandLine } = await import("./run-command-line.ts");
process.exitCode = await runCommandLine(process.argv.slice(2));
