import type { OutgoingHttpHeader } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { LRUCache } from "lru-cache";
import type { Counter } from "prom-client";
import type { Milliseconds, Moment } from "../../client/rules/time.ts";
import type { Overload } from "../http/overload.ts";
import { publicUntil } from "../http/who-may-store.ts";
import type { Metrics } from "../metrics.ts";
import { requestIdHeader } from "../tracing/work.ts";
import type { FragmentVariant } from "./fragment.ts";
import { setTiming } from "./fragment-headers.ts";
import type { FragmentRenderer, RenderedFragment } from "./fragment-renderer.ts";

/** Remembers how fragments were answered, so that the next who asks the same gets the same at little cost. */
export interface KeptAnswers {
  /** Answers what was answered before, without looking at more of a request than its address and its cookies. */
  send: RequestHandler;
  /** Remembers an answer that has been sent, when the next one will come about in the same way. */
  remember(request: Request, response: Response, variant: FragmentVariant): void;
}

interface KeptAnswer {
  variant: FragmentVariant;
  headers: Map<string, OutgoingHttpHeader>;
  locals: { fragment: string; site: string; cache: RenderedFragment["cache"]; fragmentState: string; route: string };
  /** Counts the answers of its kind. */
  series: Counter.Internal;
}

interface KeptAnswersDeps {
  metrics: Pick<Metrics, "fragments">;
  overload: Pick<Overload, "isOver">;
  renderer: Pick<FragmentRenderer, "again" | "keeps">;
}

/** How many addresses are remembered: more than all sites, platforms and switches make together. */
const maxAddresses = 2_000;

/** How an answer came about that comes about in the same way the next time. */
const lasting = new Set(["hit", "bypass"]);

/** Creates an empty memory of answers. The bodies are those of the renderer, which says how long they last. */
export function createKeptAnswers({ metrics, overload, renderer }: KeptAnswersDeps): KeptAnswers {
  const kept = new LRUCache<string, KeptAnswer>({ max: maxAddresses });
  return {
    send(request, response, next) {
      const answer = request.method === "GET" ? kept.get(addressOf(request)) : undefined;
      const until = answer?.variant.holdsUntil(request);
      if (!answer || until === undefined) return next();
      // A route refuses what is to be rendered when too much is asked, and does what is to be done when a render fails.
      if (!renderer.keeps(answer.variant) && overload.isOver("page")) return next();
      const startedAt = performance.now();
      const body = renderer.again(answer.variant);
      if (!body) return next();
      if (Buffer.isBuffer(body)) return sendAnswer(response, answer, until, body);
      const sendRendered = (rendered: Buffer) => {
        sendAnswer(response, answer, until, rendered, performance.now() - startedAt);
      };
      return body.then(sendRendered, () => next());
    },

    remember(request, response, variant) {
      const { site, cache, fragmentState } = response.locals;
      // Of texts in the address there is no end.
      const isForAll = request.method === "GET" && !variant.isPersonal && !variant.hasText;
      if (response.statusCode !== 200 || !lasting.has(cache) || !isForAll) return;
      kept.set(addressOf(request), {
        variant,
        headers: headersFor(response),
        locals: { fragment: variant.fragment.name, site, cache, fragmentState, route: request.route.path },
        series: metrics.fragments.labels({ fragment: variant.fragment.name, site, state: fragmentState, cache }),
      });
    },
  };
}

/** @param renderedIn - how long the body took to render; undefined where it was kept */
function sendAnswer(
  response: Response,
  { series, locals, headers }: KeptAnswer,
  until: Moment,
  body: Buffer,
  renderedIn?: Milliseconds,
) {
  series.inc();
  Object.assign(response.locals, locals);
  response.setHeaders(headers);
  // What was remembered may reach past the change: test/server/footer/promotions.test.ts
  response.setHeader("Cache-Control", publicUntil(until));
  if (renderedIn !== undefined) setTiming(response, { cache: locals.cache, duration: renderedIn });
  response.send(body);
}

/** Gives the address with the host, which may name the site. */
function addressOf({ originalUrl, headers }: Request): string {
  return `${headers.host} ${originalUrl}`;
}

/** Gives the headers that the next answer has, too. */
function headersFor(response: Response): Map<string, OutgoingHttpHeader> {
  const headers = new Map<string, OutgoingHttpHeader>();
  for (const [name, value] of Object.entries(response.getHeaders()))
    if (value !== undefined && name !== requestIdHeader.toLowerCase()) headers.set(name, value);
  return headers;
}
