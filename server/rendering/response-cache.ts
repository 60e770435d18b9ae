import { createHash } from "node:crypto";
import type { OutgoingHttpHeader } from "node:http";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { Counter } from "prom-client";
import { type Milliseconds, type Moment, minute } from "../../client/rules/time.ts";
import { setCachePolicy } from "../http/cache-control.ts";
import { inSpan, requestIdHeader } from "../platform/request-context.ts";
import type { FragmentContent, FragmentVariant } from "./fragment.ts";
import { renderFragment } from "./render-element.ts";
import type { RenderingContext } from "./rendering-context.ts";

/** The body of a variant, and how it came about. */
export interface CachedBody {
  body: Buffer;
  /** Strong validator; missing on a fallback. */
  etag?: string;
  state: "fresh" | "stale" | "fallback";
  cache: "hit" | "miss" | "collapsed" | "bypass";
  /** The error that kept the variant from being rendered, where `state` is "stale". */
  failure?: unknown;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

interface Entry {
  content: FragmentContent;
  etag: string;
  /** Undefined where every request is rendered. */
  body: Buffer | undefined;
  response?: StoredResponse;
}

interface StoredResponse {
  headers: Map<string, OutgoingHttpHeader>;
  locals: { fragment: string; site: string; cache: CachedBody["cache"]; fragmentState: string; route: string };
  counter: Counter.Internal;
}

/** More than all sites, platforms and switches make together. */
const maxVariants = 2_000;
/** Variants with free text have a cache of their own, so that they can't evict the others. */
const maxTextVariants = 200;

/**
 * Creates the cache that renders each variant once a minute for all who ask for it, and replays the responses that
 * everybody gets.
 */
export function createResponseCache({ assets, env, metrics, loadShedding, renderElement }: RenderingContext) {
  /** The variants that everybody gets, by host and URL: parameters that don't count make no further entries. */
  const variants = new LRUCache<string, FragmentVariant>({ max: maxVariants });
  const entries = createEntries(maxVariants);
  const textEntries = createEntries(maxTextVariants);
  const entriesFor = ({ hasText }: FragmentVariant) => (hasText ? textEntries : entries);
  return { replay, store, fetch, has };

  function createEntries(max: number) {
    return new LRUCache<string, Entry, FragmentVariant>({
      max,
      // Entries expire, so that changes outside of the build come through.
      ttl: minute,
      // The library's defaults keep the clock of its own start, which tests replace, and its time of a millisecond ago.
      perf: performance,
      ttlResolution: 0,
      allowStaleOnFetchRejection: true,
      noDeleteOnFetchRejection: true,
      noDeleteOnStaleGet: true,
      async fetchMethod(_key, _stale, { context: variant }) {
        const content = variant.build();
        const etag = etagOf(content, assets.build);
        return { content, etag, body: env.renderCache ? await render(variant, content) : undefined };
      },
    });
  }

  /** Answers a request from the cache, by its URL and its cookies alone; leaves all others to the routes. */
  function replay(request: Request, response: Response, next: () => void) {
    const variant = request.method === "GET" ? variants.get(addressOf(request)) : undefined;
    const until = variant?.validUntil(request);
    if (!variant || until === undefined) return next();
    const { body, content, response: stored } = entriesFor(variant).get(variant.key) ?? {};
    if (!stored) return next();
    if (body) return send(response, stored, body, until);
    // A route rejects the request in loadShedding, and sends the fallback if the render fails.
    if (!content || loadShedding.isOverloaded("dynamic")) return next();
    const startedAt = performance.now();
    render(variant, content).then(
      (rendered) => send(response, stored, rendered, until, performance.now() - startedAt),
      () => next(),
    );
  }

  /** Stores the headers of a response that was sent, for `replay`. */
  function store(request: Request, response: Response, variant: FragmentVariant) {
    const { fragment, site, isPersonal, hasText } = variant;
    const entry = entriesFor(variant).get(variant.key);
    const isShared = request.method === "GET" && !isPersonal && !hasText;
    if (!entry || !isShared || response.statusCode !== 200 || response.locals.fragmentState !== "fresh") return;
    const cache = env.renderCache ? "hit" : "bypass";
    const labels = { fragment: fragment.name, site: site.site };
    variants.set(addressOf(request), variant);
    entry.response ??= {
      headers: replayedHeaders(response, cache),
      locals: { ...labels, cache, fragmentState: "fresh", route: request.route.path },
      counter: metrics.fragments.labels({ ...labels, state: "fresh", cache }),
    };
  }

  /**
   * Returns the body of a variant: cached, rendered, or the last good one if the render fails.
   * @param signal - aborts the render if no other request waits for it
   * @throws the error that kept the variant from being rendered, if there is no last good one
   */
  async function fetch(variant: FragmentVariant, signal?: AbortSignal): Promise<CachedBody> {
    const status: LRUCache.Status<string, Entry, FragmentVariant> = {};
    const entry = await entriesFor(variant)
      .forceFetch(variant.key, { context: variant, status })
      .catch((error) => {
        // Without a stale entry, the library throws an error of its own.
        throw status.fetchError ?? error;
      });
    const { etag, body, content } = entry;
    if (!body) {
      if (status.fetchError) throw status.fetchError;
      return { body: await render(variant, content, signal), etag, state: "fresh", cache: "bypass" };
    }
    return {
      body,
      etag,
      state: status.fetchError ? "stale" : "fresh",
      cache: status.fetch === "hit" ? "hit" : status.fetch === "inflight" ? "collapsed" : "miss",
      failure: status.fetchError,
    };
  }

  /** Whether a body, fresh or stale, is cached. */
  function has(variant: FragmentVariant): boolean {
    return entriesFor(variant).peek(variant.key, { allowStale: true })?.body !== undefined;
  }

  async function render({ fragment, site }: FragmentVariant, content: FragmentContent, signal?: AbortSignal) {
    const end = metrics.renders.startTimer({ fragment: fragment.name });
    const attributes = { "storefront.site": site.site };
    try {
      return await inSpan(`render ${fragment.name}`, { attributes }, () =>
        renderFragment(content.element(), signal, renderElement),
      );
    } finally {
      end();
    }
  }
}

/**
 * The validator of a variant is a hash of props and build, which decide every byte: known before the render, and equal
 * on every replica.
 */
function etagOf({ props }: FragmentContent, build: string): string {
  const hash = createHash("sha256").update(build).update(JSON.stringify(props)).digest("base64url");
  return `"${hash.slice(0, 27)}"`;
}

/** @param duration - how long the body took to render; undefined if it was cached */
function send(response: Response, stored: StoredResponse, body: Buffer, until: Moment, duration?: Milliseconds) {
  stored.counter.inc();
  Object.assign(response.locals, stored.locals);
  response.setHeaders(stored.headers);
  setCachePolicy(response, "public", until);
  if (duration !== undefined) response.setHeader("Server-Timing", serverTiming(stored.locals.cache, duration));
  response.send(body);
}

function addressOf({ originalUrl, headers }: Request): string {
  return `${headers.host} ${originalUrl}`;
}

function replayedHeaders(response: Response, cache: CachedBody["cache"]): Map<string, OutgoingHttpHeader> {
  const headers = new Map<string, OutgoingHttpHeader>();
  for (const [name, value] of Object.entries(response.getHeaders()))
    if (value !== undefined && name !== requestIdHeader.toLowerCase()) headers.set(name, value);
  return headers
    .set("cache-status", cacheStatus({ state: "fresh", cache }))
    .set("server-timing", serverTiming(cache, 0));
}

const freshStatus = { hit: "hit", miss: "fwd=miss; stored", collapsed: "fwd=miss; collapsed", bypass: "fwd=bypass" };

/** Returns the value of Cache-Status: https://www.rfc-editor.org/rfc/rfc9211 */
export function cacheStatus({ state, cache }: Pick<CachedBody, "state" | "cache">): string {
  return `storefront; ${state === "fresh" ? freshStatus[cache] : `fwd=miss; detail=${state}`}`;
}

/** Returns the value of Server-Timing. */
export function serverTiming(cache: CachedBody["cache"], duration: Milliseconds): string {
  return `render;dur=${duration.toFixed(1)}, cache;desc=${cache}`;
}
