/**
 * Does what operators want done with the store. It reads the same environment as the service.
 *
 *   node dist/server/commands.js --help
 */
import { runCommands } from "./commands/run-commands.ts";
import { UsageError } from "./commands/usage-error.ts";
import { StartError } from "./errors.ts";
import { toStartError } from "./shop/store/open-store.ts";

// Whoever writes is told by the write itself.
process.stdout.on("error", () => undefined);

try {
  await runCommands(process.argv.slice(2));
} catch (error) {
  process.exitCode = tell(toStartError(error));
}

/** Says why a command wasn't done, and returns what the process exits with. */
function tell(reason: unknown): number {
  if (reason instanceof UsageError) {
    process.stderr.write(reason.message);
    return 2;
  }
  if (reason instanceof Error && "code" in reason && reason.code === "EPIPE") {
    console.error("the output was closed before all of it was written");
    return 1;
  }
  if (!(reason instanceof StartError)) throw reason;
  for (const fault of reason.faults) console.error(fault);
  return 1;
}
