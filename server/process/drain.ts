import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Readiness, Resource } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";

/** Time for load balancers to notice that the service is no longer ready. */
const servingOn: Milliseconds = 2 * second;
/** The maximum time for open connections to end, and for jobs to finish their current work. */
const draining: Milliseconds = 15 * second;
/** The maximum time for resources to close, such as a database that no longer answers. */
const closing: Milliseconds = second;
/** A terminal and npm each forward a Ctrl-C, so a second signal within this time counts as the first. */
const sameSignal: Milliseconds = second;

interface Running {
  servers: readonly Server[];
  /** The resources in the order in which they were opened. The list may grow while the service starts. */
  resources: readonly Resource[];
  readiness: Readiness;
}

/**
 * Ends the process gracefully: after SIGTERM or SIGINT with 0, and after an unhandled error, which may leave an unknown
 * state, with 1. A second signal ends it at once.
 */
export function drainAtEnd(running: Running, logger: Logger): void {
  let drained: Promise<void> | undefined;
  let firstSignal: Milliseconds | undefined;
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onCrash).on("unhandledRejection", onCrash);

  function onSignal(signal: NodeJS.Signals) {
    if (firstSignal === undefined) {
      firstSignal = performance.now();
      logger.info({ signal }, "draining");
      drained ??= drain(running);
      void drained.then(() => leave("the service has drained"));
    } else if (performance.now() - firstSignal > sameSignal) {
      leave("the service stopped at once");
    }
  }

  function leave(how: string) {
    logger.info(how);
    process.exit();
  }

  function onCrash(error: unknown) {
    logger.fatal({ err: error }, "crashed, draining");
    process.exitCode = 1;
    drained ??= drain(running);
    void drained.finally(() => process.exit());
  }
}

/**
 * Stops being ready at once, serves for two more seconds, then accepts no new connections, and waits for open ones and
 * for emails that are being sent.
 */
async function drain({ servers, resources, readiness }: Running): Promise<void> {
  readiness.state = "draining";
  await pause(servingOn);
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  const idle = resources.map((resource) => resource.idle?.());
  await Promise.race([Promise.all([...closed, ...idle]), pause(draining)]);
  await Promise.race([closeAll(resources), pause(closing)]);
}

/** Closes resources in reverse order of their opening. */
export async function closeAll(resources: readonly Resource[]): Promise<void> {
  for (const resource of resources.toReversed()) await resource.close();
}
