import type { RequestListener, Server } from "node:http";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";

/** How long a request may wait until new ones of its class are rejected. Answers from the cache are the last to go. */
const limits = { dynamic: 200, cached: 600 } as const satisfies Record<string, Milliseconds>;

type LoadClass = keyof typeof limits;

const cachedPaths = /^\/(fragments|assets|service\/(footer-images|newsletterfrontend))\//i;
const healthPaths = /^\/(livez|readyz)\/?(?=\?|$)/i;
/** Minimum time between two log lines. */
const logInterval: Milliseconds = 10 * second;

export type LoadShedding = ReturnType<typeof createLoadShedding>;

/**
 * Sheds load when more is asked than the process can do, measured by the time that requests wait for the event loop.
 */
export function createLoadShedding({ logger, metrics }: { logger: Logger; metrics: Metrics }) {
  const queue = createRequestQueue();
  const overloaded = new Set<LoadClass>();
  // Prometheus sees a rise only from an existing series.
  for (const load of Object.keys(limits)) metrics.shed.inc({ class: load }, 0);
  let unlogged = 0;
  let loggedAt = -Infinity;
  return { guard, isOverloaded, shouldReject };

  /**
   * Queues the requests of a server, and rejects new ones while their class is overloaded. Health checks skip the queue.
   * @param reject - answers a rejected request
   */
  function guard(server: Server, listener: RequestListener, reject: RequestListener): RequestListener {
    server.on("connection", queue.yieldSoon);
    return (request, response) => {
      const { url = "" } = request;
      if (healthPaths.test(url)) listener(request, response);
      else if (shouldReject(cachedPaths.test(url) ? "cached" : "dynamic"))
        queue.reject(() => reject(request, response));
      else queue.enqueue(() => request.socket.destroyed || listener(request, response));
    };
  }

  /** A class recovers once the delay has halved, so that it doesn't flip with every request. */
  function isOverloaded(load: LoadClass): boolean {
    const delay = queue.delay();
    if (delay > limits[load]) overloaded.add(load);
    else if (delay < limits[load] / 2) overloaded.delete(load);
    return overloaded.has(load);
  }

  /** Like `isOverloaded`; counts the request as rejected. */
  function shouldReject(load: LoadClass): boolean {
    if (!isOverloaded(load)) return false;
    metrics.shed.inc({ class: load });
    unlogged += 1;
    if (performance.now() - loggedAt > logInterval) {
      const delayMs = Math.round(queue.delay());
      logger.warn({ requests: unlogged, delayMs, classes: [...overloaded] }, "overloaded: requests rejected");
      unlogged = 0;
      loggedAt = performance.now();
    }
    return true;
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

/**
 * Starts requests in the order in which they come, and lets the event loop do other work in between. Node would handle
 * all requests that have arrived before it looks for new ones, and accept one new connection between two such rounds:
 * with hundreds of busy connections, health checks would wait for seconds.
 */
function createRequestQueue() {
  const waiting: { since: Milliseconds; start(): void }[] = [];
  const rejected: (() => void)[] = [];
  let isScheduled = false;
  let sliceEnd: Milliseconds = 0;
  return {
    enqueue(start: () => void) {
      waiting.push({ since: performance.now(), start });
      schedule();
    },
    reject(answer: () => void) {
      rejected.push(answer);
      schedule();
    },
    /** Lets the event loop do other work after one more request. */
    yieldSoon() {
      sliceEnd = 0;
    },
    /** How long the next request has waited. */
    delay: (): Milliseconds => (waiting[0] ? performance.now() - waiting[0].since : 0),
  };

  function schedule() {
    if (!isScheduled) setImmediate(run);
    isScheduled = true;
  }

  /** Starts at least one request, however much else the event loop has to do. */
  function run() {
    isScheduled = false;
    do waiting.shift()?.start();
    while (waiting.length > 0 && performance.now() < sliceEnd);
    const rejectionEnd = performance.now() + rejectionSlice;
    do rejected.shift()?.();
    while (rejected.length > 0 && performance.now() < rejectionEnd);
    // The slice includes what the event loop does until then: responses under way come before new requests.
    sliceEnd = performance.now() + slice;
    if (waiting.length + rejected.length > 0) schedule();
  }
}
