import type { IncomingMessage, OutgoingHttpHeader } from "node:http";
import { parseCookie } from "cookie";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { Counter } from "prom-client";
import { type Milliseconds, type Moment, minute } from "../../client/rules/time.ts";
import { setCachePolicy } from "../http/cache-control.ts";
import { strongEtag } from "../http/etag.ts";
import { inSpan, requestIdHeader } from "../platform/request-context.ts";
import type { FragmentContent, FragmentVariant } from "./fragment.ts";
import { createFragmentData, type FragmentState } from "./fragment-data.tsx";
import { renderFragment } from "./render-element.ts";
import type { RenderingContext } from "./rendering-context.ts";

/** The body of a variant, and how it came about. */
export interface CachedBody {
  body: Buffer;
  /** Strong validator; missing on a fallback. */
  etag?: string;
  state: FragmentState;
  cache: "hit" | "miss" | "collapsed" | "bypass";
  /** The error that kept the variant from being rendered, where `state` is "stale". */
  failure?: unknown;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** The forms in which pages ask for a fragment. */
export type Form = "html" | "json";

/** What an address stands for. */
interface Addressed {
  variant: FragmentVariant;
  form: Form;
}

/** The body of a variant, or its content where every request is rendered. */
type Entry = { etag: string; bytes: number; responses: Partial<Record<Form, StoredResponse>> } & (
  | { body: Buffer; content?: never }
  | { content: FragmentContent; body?: never }
);

interface StoredResponse {
  headers: Map<string, OutgoingHttpHeader>;
  locals: { fragment: string; site: string; cache: CachedBody["cache"]; fragmentState: string; route: string };
  counter: Counter.Internal;
}

/**
 * What is kept for each site. Pages include some six fragments of up to 26 kB, as HTML and as JSON, by few addresses each.
 * Those with free text take less than 10 kB.
 */
const limits = { bytes: 700_000, addresses: 100 };
const textLimits = { bytes: 100_000, addresses: 20 };
/** Size of an entry beside its body: headers and key. */
const entryBytes = 3_000;
/** Size of a body and its JSON, which escapes quotes and names the files, beside that of the body. */
const withJson = 2.2;
/** Maximum length of an address with its host. The longest include of nginx has 255 characters. */
const maxAddressLength = 300;

/**
 * Creates the cache that renders each variant once a minute for all who ask for it, and replays the responses that
 * everybody gets.
 */
export function createResponseCache(context: RenderingContext) {
  const { assets, countries, env, metrics, renderElement } = context;
  const dataOf = createFragmentData(context);
  const plain = createParts(limits);
  // Apart, so that they can't evict the others.
  const withText = createParts(textLimits);
  const partsFor = ({ hasText }: FragmentVariant) => (hasText ? withText : plain);
  const at = (address: string) => plain.addresses.get(address) ?? withText.addresses.get(address);
  return { replay, store, fetch, convert, has };

  function createParts(limit: typeof limits) {
    const { length } = countries.sites;
    /** What everybody gets, by host and URL. */
    const addresses = new LRUCache<string, Addressed>({ max: limit.addresses * length });
    const entries = new LRUCache<string, Entry, FragmentVariant>({
      maxSize: limit.bytes * length,
      sizeCalculation: (entry) => Math.ceil(entry.bytes) + entryBytes,
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
        const props = JSON.stringify(content.props);
        // Props and build decide every byte, and are known before the render.
        const etag = strongEtag(assets.build, props);
        const responses = {};
        if (!env.renderCache) return { etag, bytes: 2 * props.length, responses, content };
        const body = await render(variant, content);
        return { etag, bytes: withJson * body.length, responses, body };
      },
    });
    return { addresses, entries };
  }

  /** Answers a request from the cache, by its URL and its cookies alone; leaves all others to the routes. */
  function replay(request: Request, response: Response, next: () => void) {
    const found = request.method === "GET" ? at(addressOf(request)) : undefined;
    const until = found?.variant.validUntil(request);
    if (!found || until === undefined) return next();
    const { variant, form } = found;
    const entry = partsFor(variant).entries.get(variant.key);
    const stored = entry?.responses[form];
    if (!stored) return next();
    if (entry.body) return send(response, stored, convert(variant, form, { body: entry.body, state: "fresh" }), until);
    const startedAt = performance.now();
    render(variant, entry.content).then(
      (body) => {
        const duration = performance.now() - startedAt;
        send(response, stored, convert(variant, form, { body, state: "fresh" }), until, duration);
      },
      // A route sends the fallback.
      () => next(),
    );
  }

  /** Stores the headers of a response that was sent, for `replay`. */
  function store(request: Request, response: Response, variant: FragmentVariant, form: Form) {
    const { fragment, site, isPersonal, hasUnknown } = variant;
    const { addresses, entries } = partsFor(variant);
    const entry = entries.get(variant.key);
    const address = addressOf(request);
    // There is no end of addresses with unknown parameters.
    const isKept = request.method === "GET" && !isPersonal && !hasUnknown && address.length <= maxAddressLength;
    if (!entry || !isKept || response.statusCode !== 200 || response.locals.fragmentState !== "fresh") return;
    const cache = env.renderCache ? "hit" : "bypass";
    const labels = { fragment: fragment.name, site: site.site };
    addresses.set(address, { variant, form });
    entry.responses[form] ??= {
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
    const entry = await partsFor(variant)
      .entries.forceFetch(variant.key, { context: variant, status })
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

  /** Returns the body of a variant in a form. */
  function convert(variant: FragmentVariant, form: Form, rendered: Pick<CachedBody, "body" | "state">): Buffer {
    return form === "html" ? rendered.body : dataOf(variant.fragment, variant.site, rendered);
  }

  /** Whether the body of the response to a request, fresh or stale, is cached. */
  function has({ url: originalUrl = "", headers }: IncomingMessage): boolean {
    const variant = at(addressOf({ originalUrl, headers }))?.variant;
    if (variant?.validUntil({ headers, cookies: parseCookie(headers.cookie ?? "") }) === undefined) return false;
    return partsFor(variant).entries.peek(variant.key, { allowStale: true })?.body !== undefined;
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

/** @param duration - how long the body took to render; undefined if it was cached */
function send(response: Response, stored: StoredResponse, body: Buffer, until: Moment, duration?: Milliseconds) {
  stored.counter.inc();
  Object.assign(response.locals, stored.locals);
  response.setHeaders(stored.headers);
  setCachePolicy(response, "public", until);
  if (duration !== undefined) response.setHeader("Server-Timing", serverTiming(stored.locals.cache, duration));
  response.send(body);
}

function addressOf({ originalUrl, headers }: Pick<Request, "originalUrl" | "headers">): string {
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
