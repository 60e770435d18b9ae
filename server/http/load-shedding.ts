import type { IncomingMessage, RequestListener, Server } from "node:http";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";

/** How long a request may wait until new ones of its class are rejected. */
const limits = { dynamic: 200, cached: 600 } as const satisfies Record<string, Milliseconds>;

type LoadClass = keyof typeof limits;

/** How a request is answered. */
export interface Handling {
  load: LoadClass;
  /** Answers in place of the server's listener. */
  answer?: RequestListener;
}

const healthPaths = /^\/(livez|readyz)\/?(?=\?|$)/i;
/** Minimum time between two log lines. */
const logInterval: Milliseconds = 10 * second;

interface LoadSheddingOptions {
  logger: Logger;
  metrics: Metrics;
  /** Finds how a request is answered. What isn't in memory or a file of the build, as a made-up name, is dynamic. */
  classify(request: IncomingMessage): Handling;
  /** Answers a rejected request. */
  reject: RequestListener;
}

/**
 * Queues the requests of a server by class, and rejects new ones while their class is overloaded: while more is asked
 * than the process can do, measured by the time that requests of the class wait for their turn. Health checks skip the
 * queues.
 */
export function shedLoad(
  server: Server,
  listener: RequestListener,
  { classify, logger, metrics, reject }: LoadSheddingOptions,
): RequestListener {
  const queues = createRequestQueues();
  const overloaded = new Set<LoadClass>();
  // Prometheus sees a rise only from an existing series.
  for (const load of Object.keys(limits)) metrics.shed.inc({ class: load }, 0);
  let unlogged = 0;
  let loggedAt = -Infinity;
  server.on("connection", queues.yieldSoon);
  return (request, response) => {
    const { url = "" } = request;
    if (healthPaths.test(url)) return listener(request, response);
    const { load, answer = listener } = classify(request);
    if (!isOverloaded(load)) return queues.enqueue(load, () => request.socket.destroyed || answer(request, response));
    countRejected(load);
    queues.reject(() => reject(request, response));
  };

  /** A class recovers once the delay has halved, so that it doesn't flip with every request. */
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

/** Returns the Retry-After of a rejected request in seconds: random, so that clients don't all come back at once. */
export function retryAfterOverload(): number {
  return 1 + Math.floor(Math.random() * 5);
}

/** How long requests start one after the other before the event loop does other work. */
const slice: Milliseconds = 5;
/** How long requests are rejected then. Unlimited, a flood of them would leave no time for the others. */
const rejectionSlice: Milliseconds = 0.5;

interface Waiting {
  since: Milliseconds;
  start(): void;
}

/**
 * Starts the requests of a class in the order in which they come, and lets the event loop do other work in between. Node
 * would handle all requests that have arrived before it looks for new ones, and accept one new connection between two
 * such rounds: with hundreds of busy connections, health checks would wait for seconds.
 */
function createRequestQueues() {
  const waiting: Record<LoadClass, Waiting[]> = { dynamic: [], cached: [] };
  const rejected: Waiting[] = [];
  let isScheduled = false;
  let sliceEnd: Milliseconds = 0;
  return {
    enqueue: (load: LoadClass, start: () => void) => add(waiting[load], start),
    reject: (start: () => void) => add(rejected, start),
    /** Lets the event loop do other work after one more request. */
    yieldSoon() {
      sliceEnd = 0;
    },
    /** How long the next request of a class has waited. */
    delay: (load: LoadClass): Milliseconds => (waiting[load][0] ? performance.now() - waiting[load][0].since : 0),
  };

  function add(queue: Waiting[], start: () => void) {
    queue.push({ since: performance.now(), start });
    schedule();
  }

  function schedule() {
    if (!isScheduled) setImmediate(run);
    isScheduled = true;
  }

  /** Starts at least one request of each class, however much else the event loop has to do: cached ones first. */
  function run() {
    isScheduled = false;
    startUntil(performance.now() + slice, waiting.cached);
    startUntil(sliceEnd, waiting.dynamic);
    startUntil(performance.now() + rejectionSlice, rejected);
    // The slice includes what the event loop does until then: responses under way come before new requests.
    sliceEnd = performance.now() + slice;
    if (waiting.cached.length + waiting.dynamic.length + rejected.length > 0) schedule();
  }
}

/** Starts at least one of the waiting. */
function startUntil(end: Milliseconds, queue: Waiting[]) {
  do queue.shift()?.start();
  while (queue.length > 0 && performance.now() < end);
}
