import { StartError } from "../errors.ts";
import { toStartError } from "../shop/store/open-store.ts";
import { runCommands } from "./run-commands.ts";
import { UsageError } from "./usage-error.ts";

/** Runs the command that some words are, and says on standard error why it can't be done, with an exit code. */
export async function runCommandLine(words: string[]): Promise<void> {
  // Whoever writes is told by the write itself.
  process.stdout.on("error", () => undefined);
  try {
    await runCommands(words);
  } catch (error) {
    process.exitCode = tell(toStartError(error));
  }
}

/** Says why a command wasn't done, and returns what the process exits with. */
function tell(reason: unknown): number {
  if (reason instanceof UsageError) {
    process.stderr.write(reason.message);
    return 2;
  }
  if (reason instanceof Error && "code" in reason && reason.code === "EPIPE") {
    process.stderr.write("the output was closed before all of it was written\n");
    return 1;
  }
  if (!(reason instanceof StartError)) throw reason;
  process.stderr.write(`${reason.message}\n`);
  return 1;
}
