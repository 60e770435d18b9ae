import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Readiness, Resource } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";

/** Time for load balancers to notice that the service is no longer ready. */
const servingOn: Milliseconds = 2 * second;
/** Maximum time for open connections to end, and for jobs to finish their current work. */
const draining: Milliseconds = 15 * second;
/** Maximum time for resources to close, such as a database that no longer answers. */
const closing: Milliseconds = second;
/** A terminal and npm each pass one Ctrl-C on: a second signal within this time is taken for the first one. */
const sameSignal: Milliseconds = second;

interface Running {
  servers: readonly Server[];
  /** The resources in the order in which they were opened. The list may grow while the service starts. */
  resources: readonly Resource[];
  readiness: Readiness;
}

/** Drains the service; further calls return the same promise. Resolves when all work is done and all is closed. */
type Drain = () => Promise<void>;

/**
 * Creates the graceful shutdown. The service stops being ready at once, serves for two more seconds, then accepts no
 * new connections, and waits for open ones and for mails that are being sent.
 */
export function createDrain(running: Running): Drain {
  let drained: Promise<void> | undefined;
  return () => {
    drained ??= drain(running);
    return drained;
  };
}

/**
 * Drains the service at SIGTERM or SIGINT, and ends the process, with 0 unless it has crashed. A second signal ends it
 * at once.
 */
export function drainOnSignal(drain: Drain, logger: Logger): void {
  let first: Milliseconds | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = performance.now();
      logger.info({ signal }, "draining");
      void drain().then(() => leave("the service has drained"));
    } else if (performance.now() - first > sameSignal) {
      leave("the service stopped at once");
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);

  function leave(how: string) {
    logger.info(how);
    process.exit();
  }
}

/**
 * Drains the service after an unhandled error and exits with 1, as the error may have left the process in an unknown
 * state. Each such error is one line of the log.
 */
export function drainOnCrash(drain: Drain, logger: Logger): void {
  const onCrash = (error: unknown) => {
    logger.fatal({ err: error }, "crashed, draining");
    process.exitCode = 1;
    void drain().finally(() => process.exit());
  };
  process.on("uncaughtException", onCrash);
  process.on("unhandledRejection", onCrash);
}

async function drain({ servers, resources, readiness }: Running): Promise<void> {
  readiness.state = "draining";
  await pause(servingOn);
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  const idle = resources.map((resource) => resource.idle?.());
  await Promise.race([Promise.all([...closed, ...idle]), pause(draining)]);
  await Promise.race([closeAll(resources), pause(closing)]);
}

async function closeAll(resources: readonly Resource[]): Promise<void> {
  for (const resource of resources.toReversed()) await resource.close();
}
