import type { OutgoingHttpHeader } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { LRUCache } from "lru-cache";
import type { Counter } from "prom-client";
import { requestIdHeader } from "../http/request-log.ts";
import type { Metrics } from "../metrics.ts";
import type { FragmentVariant } from "./fragment.ts";
import type { FragmentRenderer } from "./fragment-renderer.ts";

/** Remembers how fragments were answered, so that the next who asks the same gets the same at little cost. */
export interface KeptAnswers {
  /** Answers what was answered before, without looking at more of a request than its address and its cookies. */
  send: RequestHandler;
  /** Remembers an answer that has been sent, when it came from the cache. */
  remember(request: Request, response: Response, variant: FragmentVariant): void;
}

interface KeptAnswer {
  variant: FragmentVariant;
  headers: Map<string, OutgoingHttpHeader>;
  locals: object;
  /** Counts the answers of its kind. */
  series: Counter.Internal;
}

/** How many addresses are remembered: more than all sites, platforms and switches make together. */
const maxAddresses = 2_000;

/** Creates an empty memory of answers. The bodies are those of the renderer's cache, which says how long they last. */
export function createKeptAnswers(renderer: Pick<FragmentRenderer, "kept">, metrics: Metrics): KeptAnswers {
  const kept = new LRUCache<string, KeptAnswer>({ max: maxAddresses });
  return {
    send(request, response, next) {
      if (request.method !== "GET") return next();
      const answer = kept.get(addressOf(request));
      const body = answer?.variant.holdsFor(request) ? renderer.kept(answer.variant) : undefined;
      if (!answer || !body) return next();
      answer.series.inc();
      Object.assign(response.locals, answer.locals);
      response.setHeaders(answer.headers);
      response.send(body);
    },

    remember(request, response, variant) {
      const { site, cache, fragmentState } = response.locals;
      // Of texts in the address there is no end.
      const isForAll = request.method === "GET" && !variant.isPersonal && !variant.hasText;
      if (response.statusCode !== 200 || cache !== "hit" || !isForAll) return;
      kept.set(addressOf(request), {
        variant,
        headers: headersFor(response),
        locals: { site, cache, fragmentState, route: request.route.path },
        series: metrics.fragments.labels({ fragment: variant.fragment.name, site, state: fragmentState, cache }),
      });
    },
  };
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
