import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../client/rules/time.ts";
import type { Readiness } from "./http/health-routes.ts";
import type { Logger } from "./logger.ts";

/** Time for load balancers to see that the service isn't ready any more. */
const servingOn: Milliseconds = 2 * second;
/** Longest time for open connections to end, and for what jobs have begun. */
const draining: Milliseconds = 15 * second;
/** Longest time for resources to close, such as a database that doesn't answer any more. */
const closing: Milliseconds = second;
/**
 * A terminal and npm each pass one Ctrl-C on, so that a second signal within this time is taken for the first one
 * (test/server/main.test.ts).
 */
const sameSignal: Milliseconds = second;

/** Something that the process has opened, and closes before it ends. */
export interface Resource {
  /** Resolves when what it does by itself is done. It begins nothing more when the service isn't ready any more. */
  idle?(): Promise<void>;
  close(): Promise<void>;
}

/** Something that the service does by itself, from its start on until it is closed. */
export interface Job extends Resource {
  start(): Promise<void> | void;
}

interface Running {
  servers: readonly Server[];
  /** What requests use, in the order in which it was opened. The list may grow while the service starts. */
  resources: readonly Resource[];
  readiness: Readiness;
}

/** Drains the service, once however often it is called. Resolves when nothing is under way, and all is closed. */
export type Drain = () => Promise<void>;

/**
 * Creates what drains the service without losing a request. The service stops being ready at once, serves for two more
 * seconds, then takes no new connections, and waits for the open ones to end, and for mails that are under way.
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
