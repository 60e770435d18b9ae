import type { Drain } from "./drain.ts";
import type { Logger } from "./logger.ts";

/**
 * Ends the process with 1 after an error that nothing has handled, as nobody knows what that has left half done. Each
 * such error is one line of the log; the first one drains the service.
 */
export function drainOnCrash(drain: Drain, logger: Logger): void {
  const onCrash = (error: unknown) => {
    logger.fatal({ err: error }, "the service has crashed, and is draining");
    process.exitCode = 1;
    void drain().finally(() => process.exit());
  };
  process.on("uncaughtException", onCrash);
  process.on("unhandledRejection", onCrash);
}
