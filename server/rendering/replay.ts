import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import fresh from "fresh";
import { LRUCache } from "lru-cache";
import type { Counter } from "prom-client";
import type { Moment } from "../../client/rules/time.ts";
import { publicUntil, setCachePolicy } from "../http/cache-control.ts";
import { parseCookies } from "../http/cookies.ts";
import type { Handling } from "../http/load-shedding.ts";
import { type ResponseFacts, recordRequest } from "../http/request-log.ts";
import { requestIdHeader } from "../platform/request-context.ts";
import type { FragmentVariant } from "./fragment.ts";
import type { RenderingContext } from "./rendering-context.ts";
import { cacheStatus, type Entry, type Form, type ResponseCache, serverTiming } from "./response-cache.ts";

/** What an address stands for. */
interface Addressed {
  variant: FragmentVariant;
  form: Form;
}

/** What all responses to an address have in common. */
interface StoredResponse {
  etag: string;
  headers: Map<string, string>;
  /** Names and values by turns, as `writeHead` takes them: the headers of a 304, and those that a 200 has beside them. */
  rawHeaders: readonly string[];
  rawBodyHeaders: readonly string[];
  facts: ResponseFacts;
  counter: Counter.Internal;
}

/** How many addresses are kept for each site: pages include some six fragments, as HTML and as JSON, by few each. */
const addressesPerSite = { plain: 100, withText: 20 };
/** Maximum length of an address with its host. The longest include of nginx has 255 characters. */
const maxAddressLength = 300;

/** Headers that differ from one response of an address to the next. */
const changingHeaders = new Set([
  "cache-control",
  "cache-status",
  "connection",
  "server-timing",
  requestIdHeader.toLowerCase(),
]);
/** Headers that a 304 leaves out, as in Express. */
const bodyHeaders = new Set(["content-type", "content-length"]);

/**
 * Creates what answers requests for fragments by their address and cookies alone, as an earlier one was answered: with a
 * cached body before Express, which would cost as much again as all the rest, or with a body rendered for each request.
 */
export function createReplay(context: RenderingContext, responseCache: ResponseCache) {
  const { countries, env, logger, metrics, readiness } = context;
  const createAddresses = (perSite: number) =>
    new LRUCache<string, Addressed>({ max: perSite * countries.sites.length });
  const plain = createAddresses(addressesPerSite.plain);
  // Apart, so that they can't evict the others.
  const withText = createAddresses(addressesPerSite.withText);
  const responses = new WeakMap<Entry, Partial<Record<Form, StoredResponse>>>();
  return { classify, render, store };

  /**
   * Finds how a request for a cached body, fresh or stale, is answered.
   * @returns undefined for all other requests
   */
  function classify(request: IncomingMessage): Handling | undefined {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const found = env.renderCache && isRead ? find(request, request.url) : undefined;
    if (!found?.entry.body) return undefined;
    const { variant, form, stored, until } = found;
    if (!stored) return { load: "cached" };
    const body = responseCache.convert(variant, form, { body: found.entry.body, state: "fresh" });
    return { load: "cached", answer: (_request, response) => replay(request, response, stored, body, until) };
  }

  function replay(
    request: IncomingMessage,
    response: ServerResponse,
    stored: StoredResponse,
    body: Buffer,
    until: Moment,
  ) {
    const { requestId } = recordRequest(request, response, () => stored.facts, { logger, metrics });
    const timing = serverTiming("hit", 0);
    const changing = ["Cache-Control", publicUntil(until), "Server-Timing", timing, requestIdHeader, requestId];
    if (readiness.state === "draining") changing.push("Connection", "close");
    stored.counter.inc();
    send(request, response, stored, body, changing);
  }

  /** Answers with a body rendered for this request, where none is kept; leaves all others to the routes. */
  function render(request: Request, response: Response, next: () => void) {
    const found = !env.renderCache && request.method === "GET" ? find(request, request.originalUrl) : undefined;
    const { stored, entry } = found ?? {};
    if (!found || !stored || !entry?.content) return next();
    const { variant, form, until } = found;
    const startedAt = performance.now();
    responseCache.render(variant, entry.content).then(
      (body) => {
        stored.counter.inc();
        Object.assign(response.locals, stored.facts);
        response.setHeaders(stored.headers);
        setCachePolicy(response, "public", until);
        response.setHeader("Server-Timing", serverTiming("bypass", performance.now() - startedAt));
        response.send(responseCache.convert(variant, form, { body, state: "fresh" }));
      },
      // A route sends the fallback.
      () => next(),
    );
  }

  /** Stores what a response that was sent has in common with all further ones to its address. */
  function store(request: Request, response: Response, variant: FragmentVariant, form: Form) {
    const { fragment, site, hasText, hasUnknown, isPersonal } = variant;
    const address = addressOf(request, request.originalUrl);
    // There is no end of addresses with unknown parameters.
    const isKept = request.method === "GET" && !isPersonal && !hasUnknown && address.length <= maxAddressLength;
    const found = isKept ? responseCache.peek(variant) : undefined;
    if (!found?.isFresh || response.statusCode !== 200 || response.locals.fragmentState !== "fresh") return;
    (hasText ? withText : plain).set(address, { variant, form });
    const forms = responses.get(found.entry) ?? {};
    responses.set(found.entry, forms);
    if (forms[form]) return;
    const cache = env.renderCache ? "hit" : "bypass";
    const labels = { fragment: fragment.name, site: site.site };
    forms[form] = {
      etag: found.entry.etag,
      ...commonHeaders(response, cacheStatus({ state: "fresh", cache })),
      facts: { ...labels, cache, fragmentState: "fresh", route: request.route.path },
      counter: metrics.fragments.labels({ ...labels, state: "fresh", cache }),
    };
  }

  function find(request: IncomingMessage, url: string | undefined) {
    const address = addressOf(request, url);
    const addressed = plain.get(address) ?? withText.get(address);
    const { headers } = request;
    // Requests from caches have no cookies.
    const cookies = addressed && headers.cookie !== undefined ? parseCookies(request) : {};
    const until = addressed?.variant.validUntil({ headers, cookies });
    const kept = addressed && until !== undefined ? responseCache.peek(addressed.variant) : undefined;
    if (!addressed || until === undefined || !kept) return undefined;
    const { entry, isFresh } = kept;
    return { ...addressed, entry, until, stored: isFresh ? responses.get(entry)?.[addressed.form] : undefined };
  }
}

function addressOf({ headers }: IncomingMessage, url: string | undefined): string {
  return `${headers.host} ${url}`;
}

/** Collects the headers that a response has in common with all further ones. */
function commonHeaders(response: ServerResponse, status: string) {
  const headers = new Map([["cache-status", status]]);
  const rawHeaders = ["cache-status", status];
  const rawBodyHeaders: string[] = [];
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (changingHeaders.has(name)) continue;
    headers.set(name, String(value));
    (bodyHeaders.has(name) ? rawBodyHeaders : rawHeaders).push(name, String(value));
  }
  return { headers, rawHeaders, rawBodyHeaders };
}

/**
 * Sends a body or, to a caller who has it, 304. With `writeHead` alone, Node checks and copies each header once; with
 * `setHeader`, twice.
 */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  { etag, rawBodyHeaders, rawHeaders }: StoredResponse,
  body: Buffer,
  changing: readonly string[],
) {
  const headers = [...rawHeaders, ...changing];
  if (fresh(request.headers, { etag })) response.writeHead(304, headers).end();
  else response.writeHead(200, [...headers, ...rawBodyHeaders]).end(body);
}
