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
import type { FragmentVariant, KnownVariant } from "./fragment.ts";
import type { RenderingContext } from "./rendering-context.ts";
import { cacheStatus, type Entry, type Form, type ResponseCache, serverTiming } from "./response-cache.ts";

/** The meaning of an address. */
interface Addressed {
  variant: KnownVariant;
  form: Form;
}

/**
 * The common part of all responses to an address. Made once per body and form, so that a hit only adds what changes.
 */
interface StoredResponse {
  etag: string;
  headers: Map<string, string>;
  /**
   * Names and values in turn, as `writeHead` takes them: the headers of a 304, and those that a 200 has in addition.
   */
  rawHeaders: readonly string[];
  rawBodyHeaders: readonly string[];
  facts: ResponseFacts;
  counter: Counter.Internal;
}

/**
 * How many addresses are kept per site. Pages include about six fragments, as HTML and as JSON, each by few addresses.
 */
const addressesPerSite = { plain: 100, withText: 20 };
/** Maximum length of an address with its host. The longest include of nginx has 255 characters. */
const maxAddressLength = 300;

/** Headers that differ between responses to the same address. */
const changingHeaders = new Set([
  "cache-control",
  "cache-status",
  "connection",
  "server-timing",
  requestIdHeader.toLowerCase(),
]);
const hitTiming = serverTiming("hit", 0);
/** Headers that a 304 omits, as in Express: https://www.rfc-editor.org/rfc/rfc9110#section-15.4.5 */
const bodyHeaders = new Set(["content-type", "content-length"]);

/**
 * Creates the replay of fragments: it answers a request by its address and cookies alone, as an earlier one was
 * answered. A cached body is sent before Express, which would cost as much again as everything else (`npm run bench --
 * footer`). With the cache off, only the body is rendered. What is replayed must equal what the routes would send.
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
   * Finds how a request for a cached body, fresh or stale, is handled. Every request pays for this: a string, a few map
   * lookups and, if it has cookies, their parsing.
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
    const changing = ["Cache-Control", publicUntil(until), "Server-Timing", hitTiming, requestIdHeader, requestId];
    if (readiness.state === "draining") changing.push("Connection", "close");
    stored.counter.inc();
    send(request, response, stored, body, changing);
  }

  /** Answers with a body rendered for this request if bodies aren't cached. Leaves all other requests to the routes. */
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

  /**
   * Stores the common part of all responses to an address after the first of them, so that a hit doesn't pay for it.
   */
  function store(request: Request, response: Response, { build: _, ...variant }: FragmentVariant, form: Form) {
    const { fragment, site, hasText, hasUnknown, isPersonal } = variant;
    const address = addressOf(request, request.originalUrl);
    // Unknown parameters allow any number of addresses.
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

/** Collects the headers that a response has in common with all later ones to its address. */
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
 * Sends a body or, if the caller has it, 304 (RFC 9110, 13.1.2). One `writeHead` makes Node check and copy each header
 * once; `setHeader` does it twice. One `end` with the body is one write to the socket.
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
