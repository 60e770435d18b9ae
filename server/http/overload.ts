import type { RequestListener, Server } from "node:http";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { createTurns } from "./take-turns.ts";

/**
 * What is shed together, and from which delay on: preview first, kept fragments last. The class of a path is the first
 * one that it matches.
 */
const classes = {
  preview: { limit: 100, paths: /^\/(preview|widgets|service\/(preview|abtestfrontend))(?=[/?]|$)/i },
  newsletter: { limit: 150, paths: /^\/(newsletter|service\/newsletter)(?=[/?]|$)/i },
  login: { limit: 200, paths: /^\/((m\/)?login|logout|service\/(login|customerfrontenddata))(?=[/?]|$)/i },
  kept: { limit: 600, paths: /^\/(fragments|assets|service\/(footer-images|newsletterfrontend))\//i },
  page: { limit: 300, paths: /^/ },
} as const satisfies Record<string, { limit: Milliseconds; paths: RegExp }>;

export type LoadClass = keyof typeof classes;

const names = Object.keys(classes) as LoadClass[];
const health = /^\/(livez|readyz)\/?(?=\?|$)/i;
/** At most one line of the log tells of shed requests within this time. */
const period: Milliseconds = 10 * second;

/** Keeps the service answering when more is asked than it can do. */
export interface Overload {
  /**
   * Lets requests to a server take turns. Of a class for which they would wait too long, new ones are shed; health is
   * answered at once.
   * @param shed - answers what is shed
   */
  guard(server: Server, listener: RequestListener, shed: RequestListener): RequestListener;
  /** Tells whether a request of a class is to be shed now. */
  isOver(load: LoadClass): boolean;
  /** Tells whether a request of a class is to be shed now, and counts it. */
  sheds(load: LoadClass): boolean;
}

/** Creates what sheds load by the delay of the event loop, as the requests feel it that wait for their turn. */
export function createOverload({ logger, metrics }: { logger: Logger; metrics: Metrics }): Overload {
  const turns = createTurns();
  const shed = new Set<LoadClass>();
  // The first one shed is a rise from 0, which Prometheus sees.
  for (const name of names) metrics.shed.inc({ class: name }, 0);
  let untold = 0;
  let toldAt = -Infinity;
  return {
    guard(server, listener, answerShed) {
      server.on("connection", turns.hurry);
      return (request, response) => {
        const { url = "" } = request;
        if (health.test(url)) listener(request, response);
        else if (sheds(loadOf(url))) turns.refuse(() => answerShed(request, response));
        else turns.wait(() => request.socket.destroyed || listener(request, response));
      };
    },
    isOver,
    sheds,
  };

  /** A class that is shed is taken again when the delay has halved, so that it isn't shed and taken by turns. */
  function isOver(load: LoadClass): boolean {
    const delay = turns.delay();
    const { limit } = classes[load];
    if (delay > limit) shed.add(load);
    else if (delay < limit / 2) shed.delete(load);
    return shed.has(load);
  }

  function sheds(load: LoadClass): boolean {
    if (!isOver(load)) return false;
    metrics.shed.inc({ class: load });
    untold += 1;
    if (performance.now() - toldAt > period) tell();
    return true;
  }

  function tell() {
    const delayMs = Math.round(turns.delay());
    logger.warn({ requests: untold, delayMs, classes: [...shed] }, "the service sheds load");
    untold = 0;
    toldAt = performance.now();
  }
}

function loadOf(url: string): LoadClass {
  return names.find((name) => classes[name].paths.test(url)) ?? "page";
}

/** Gives the seconds after which to try again what was shed: not the same for all, who would come together. */
export function retryAfterShed(): number {
  return 1 + Math.floor(Math.random() * 5);
}
