import type { IncomingMessage, RequestListener, Server } from "node:http";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";

/** The waiting time of a crowd from which new requests of its class are rejected. */
const limits = { dynamic: 200, cached: 600 } as const satisfies Record<string, Milliseconds>;

/**
 * How many requests of a class must wait before it counts as overloaded. Fewer are soon answered: they wait for long
 * only when the process gets no processor, and a visitor's page would lose its files.
 */
const crowd = 20;

type LoadClass = keyof typeof limits;

/** How a request is answered. */
export interface Handling {
  load: LoadClass;
  /** Answers instead of the server's listener. */
  answer?: RequestListener;
}

const healthPaths = /^\/(livez|readyz)\/?(?=\?|$)/i;
/** The minimum time between two log lines. */
const logInterval: Milliseconds = 10 * second;

interface LoadSheddingOptions {
  logger: Logger;
  metrics: Metrics;
  /**
   * Classifies a request, and finds its answer if that is known. Everything that is neither in memory nor a file of the
   * build is dynamic, including invented names. Called for every request before anything else, so it must cost no more
   * than a few lookups in memory.
   */
  classify(request: IncomingMessage): Handling;
  /** Answers a rejected request. */
  reject: RequestListener;
}

/**
 * Queues the requests of a server by class, and rejects new ones while their class is overloaded, which shows in how
 * long a crowd of its requests waits. Health checks skip the queues. A rejected request gets 503 with Retry-After
 * (RFC 9110, 15.6.4 and 10.2.3). Every request passes this: a closure, an array entry and a share of one `setImmediate`
 * are its whole cost.
 */
export function shedLoad(
  server: Server,
  listener: RequestListener,
  { classify, logger, metrics, reject }: LoadSheddingOptions,
): RequestListener {
  const queues = createRequestQueues();
  const overloaded = new Set<LoadClass>();
  // Prometheus sees an increase only in an existing series.
  for (const load of Object.keys(limits)) metrics.shed.inc({ class: load }, 0);
  let unlogged = 0;
  let loggedAt = -Infinity;
  server.on("connection", queues.shortenTurn);
  return (request, response) => {
    const { url = "" } = request;
    if (healthPaths.test(url)) return listener(request, response);
    const { load, answer = listener } = classify(request);
    if (!isOverloaded(load)) return queues.enqueue(load, () => request.socket.destroyed || answer(request, response));
    countRejected(load);
    queues.reject(() => reject(request, response));
  };

  /**
   * Whether a class is overloaded. It recovers once its delay has halved, so that it doesn't flip with every request.
   */
  function isOverloaded(load: LoadClass): boolean {
    const delay = queues.delay(load);
    if (delay > limits[load]) overloaded.add(load);
    else if (delay < limits[load] / 2) overloaded.delete(load);
    return overloaded.has(load);
  }

  function countRejected(load: LoadClass) {
    metrics.shed.inc({ class: load });
    unlogged += 1;
    if (performance.now() - loggedAt <= logInterval) return;
    const delayMs = Math.round(queues.delay(load));
    logger.warn({ requests: unlogged, delayMs, classes: [...overloaded] }, "overloaded: requests rejected");
    unlogged = 0;
    loggedAt = performance.now();
  }
}

/**
 * Returns the Retry-After of a rejected request in seconds. It is random, so that clients don't all come back at once.
 */
export function retryAfterOverload(): number {
  return 1 + Math.floor(Math.random() * 5);
}

/** How long requests are started one after the other before the event loop does other work. */
const slice: Milliseconds = 5;
/** How long requests are then rejected. Without this limit, a flood of them would leave no time for the others. */
const rejectionSlice: Milliseconds = 0.5;

interface Waiting {
  since: Milliseconds;
  start(): void;
}

/**
 * Starts the requests of a class in their order of arrival, and lets the event loop do other work in between. Node
 * itself would handle all requests that have arrived before it accepts one new connection. With hundreds of busy
 * connections, health checks would then wait for seconds.
 */
function createRequestQueues() {
  const waiting: Record<LoadClass, Waiting[]> = { dynamic: [], cached: [] };
  const rejected: Waiting[] = [];
  let isScheduled = false;
  let hasAccepted = false;
  let sliceEnd: Milliseconds = 0;
  return {
    enqueue: (load: LoadClass, start: () => void) => add(waiting[load], start),
    reject: (start: () => void) => add(rejected, start),
    /**
     * Ends this turn of the event loop after one more request of each class. A turn accepts one connection, so 200 of
     * them that arrive at once would make a health check behind them wait for 200 slices.
     */
    shortenTurn() {
      hasAccepted = true;
    },
    /** How long the next request of a class has waited, if a crowd waits with it. */
    delay(load: LoadClass): Milliseconds {
      const [next] = waiting[load];
      return next && waiting[load].length >= crowd ? performance.now() - next.since : 0;
    },
  };

  function add(queue: Waiting[], start: () => void) {
    queue.push({ since: performance.now(), start });
    schedule();
  }

  function schedule() {
    if (!isScheduled) setImmediate(run);
    isScheduled = true;
  }

  /** Starts at least one request of each class, cached ones first, whatever else the event loop has to do. */
  function run() {
    isScheduled = false;
    startUntil(hasAccepted ? 0 : performance.now() + slice, waiting.cached);
    startUntil(hasAccepted ? 0 : sliceEnd, waiting.dynamic);
    hasAccepted = false;
    startUntil(performance.now() + rejectionSlice, rejected);
    // The next slice includes the work of the event loop in between: responses in progress come before new requests.
    sliceEnd = performance.now() + slice;
    if (waiting.cached.length + waiting.dynamic.length + rejected.length > 0) schedule();
  }
}

/** Starts waiting requests until a time, at least one. */
function startUntil(end: Milliseconds, queue: Waiting[]) {
  do queue.shift()?.start();
  while (queue.length > 0 && performance.now() < end);
}
