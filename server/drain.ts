import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Readiness } from "./http/health-routes.ts";
import type { Logger } from "./logger.ts";

/** Time for load balancers to see that the service isn't ready any more, in milliseconds. */
const servingOn = 2_000;
/** Longest time for open connections to end, in milliseconds. */
const draining = 15_000;
/** Longest time for resources to close, such as a database that doesn't answer any more, in milliseconds. */
const closing = 1_000;
/** A terminal and npm each pass one Ctrl-C on; a second signal within this time is the same one, in milliseconds. */
const sameSignal = 1_000;

/** Something that is open, and is closed before the process ends. */
export interface Resource {
  close(): Promise<void>;
}

/** Something that the service does by itself, from its start on until it is closed. */
export interface Job extends Resource {
  start(): Promise<void> | void;
}

interface Running {
  servers: readonly Server[];
  /** What requests use, in the order in which it was opened: more may be added while the service starts. */
  resources: readonly Resource[];
  readiness: Readiness;
}

/**
 * Leaves without a lost request at SIGTERM or SIGINT: not ready at once, serving for two more seconds, then no new
 * connections, exit 0 when the open ones have ended and what they used is closed. A second signal exits at once.
 */
export function drainOnSignal(running: Running, logger: Logger): void {
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = performance.now();
      logger.info({ signal }, "draining");
      void drain(running).then(() => leave("drained"));
    } else if (performance.now() - first > sameSignal) {
      leave("stopped at once");
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);

  function leave(how: string) {
    logger.info(how);
    process.exit(0);
  }
}

async function drain({ servers, resources, readiness }: Running): Promise<void> {
  readiness.state = "draining";
  await pause(servingOn);
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  await Promise.race([Promise.all(closed), pause(draining)]);
  await Promise.race([closeAll(resources), pause(closing)]);
}

async function closeAll(resources: readonly Resource[]): Promise<void> {
  for (const resource of resources.toReversed()) await resource.close();
}
