import { LRUCache } from "lru-cache";
import { type Milliseconds, minute } from "../../client/rules/time.ts";
import { strongEtag } from "../http/etag.ts";
import { inSpan } from "../platform/request-context.ts";
import type { FragmentContent, FragmentVariant, KnownVariant } from "./fragment.ts";
import { createFragmentData, type FragmentState } from "./fragment-data.tsx";
import { renderFragment } from "./render-element.ts";
import type { RenderingContext } from "./rendering-context.ts";

/** The body of a variant, and how it was obtained. */
export interface CachedBody {
  body: Buffer;
  /** Strong validator; missing on a fallback. */
  etag?: string;
  state: FragmentState;
  cache: "hit" | "miss" | "collapsed" | "bypass";
  /** The error that prevented a render, if `state` is "stale". */
  failure?: unknown;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** The forms in which pages ask for a fragment. */
export type Form = "html" | "json";

/** The body of a variant, or its content if every request is rendered. */
export type Entry = { etag: string; bytes: number } & (
  | { body: Buffer; content?: never }
  | { content: FragmentContent; body?: never }
);

/**
 * The size of the cache per site, in bytes. Pages include about six fragments of up to 26 kB, as HTML and as JSON.
 * Fragments with free text have less than 10 kB.
 */
const bytesPerSite = { plain: 700_000, withText: 100_000 };
/** The size of an entry in addition to its body: headers and key. */
const entryBytes = 3_000;
/** The size of a body with its JSON, relative to the body. JSON escapes quotes and names the files. */
const withJson = 2.2;

/**
 * Creates the cache that renders each variant once a minute, however many requests ask for it. A hit costs one map
 * lookup; a miss costs the render, which concurrent requests share. It is a cache of representations, not a shared HTTP
 * cache: keys are declared inputs, so `Vary` (RFC 9111, 4.1) isn't needed.
 */
export function createResponseCache(context: RenderingContext) {
  const { assets, countries, env, metrics, renderElement } = context;
  const dataOf = createFragmentData(context);
  const plain = createEntries(bytesPerSite.plain);
  // Apart, so that they can't evict the others.
  const withText = createEntries(bytesPerSite.withText);
  const entriesFor = ({ hasText }: KnownVariant) => (hasText ? withText : plain);
  return { fetch, convert, peek, render };

  function createEntries(perSite: number) {
    return new LRUCache<string, Entry, FragmentVariant>({
      maxSize: perSite * countries.sites.length,
      sizeCalculation: (entry) => Math.ceil(entry.bytes) + entryBytes,
      // Entries expire, so that changes from outside the build are noticed.
      ttl: minute,
      // By default, the library keeps the clock of its own start, which tests replace, and reuses the time for a
      // millisecond.
      perf: performance,
      ttlResolution: 0,
      allowStaleOnFetchRejection: true,
      noDeleteOnStaleGet: true,
      async fetchMethod(_key, _stale, { context: variant }) {
        const content = variant.build();
        const props = JSON.stringify(content.props);
        // Props and build decide every byte, and are known before the render. So a strong validator costs a hash of the
        // props, not of the body: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.1
        const etag = strongEtag(assets.build, props);
        if (!env.renderCache) return { etag, bytes: 2 * props.length, content };
        const body = await render(variant, content);
        return { etag, bytes: withJson * body.length, body };
      },
    });
  }

  /** Returns the entry of a variant, and whether it is fresh; undefined if there is none. */
  function peek(variant: KnownVariant): { entry: Entry; isFresh: boolean } | undefined {
    const status: LRUCache.Status<string, Entry, FragmentVariant> = {};
    const entry = entriesFor(variant).get(variant.key, { allowStale: true, status });
    return entry && { entry, isFresh: status.get === "hit" };
  }

  /**
   * Returns the body of a variant: cached, rendered, or the last good one if the render fails.
   * @param signal - aborts the render if no other request waits for it
   * @throws the error of the render if there is no last good body
   */
  async function fetch(variant: FragmentVariant, signal?: AbortSignal): Promise<CachedBody> {
    const status: LRUCache.Status<string, Entry, FragmentVariant> = {};
    const entry = await entriesFor(variant)
      .forceFetch(variant.key, { context: variant, status })
      .catch((error) => {
        // If there is no stale entry, the library throws an error of its own.
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

  /** Converts the body of a variant to a form. */
  function convert(variant: KnownVariant, form: Form, rendered: Pick<CachedBody, "body" | "state">): Buffer {
    return form === "html" ? rendered.body : dataOf(variant, rendered);
  }

  /** Renders the body of a variant. */
  async function render({ fragment, site }: KnownVariant, content: FragmentContent, signal?: AbortSignal) {
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

const freshStatus = { hit: "hit", miss: "fwd=miss; stored", collapsed: "fwd=miss; collapsed", bypass: "fwd=bypass" };

/** Returns the value of Cache-Status: https://www.rfc-editor.org/rfc/rfc9211#section-2 */
export function cacheStatus({ state, cache }: Pick<CachedBody, "state" | "cache">): string {
  return `storefront; ${state === "fresh" ? freshStatus[cache] : `fwd=miss; detail=${state}`}`;
}

/** Returns the value of Server-Timing: https://www.w3.org/TR/server-timing/#the-server-timing-header-field */
export function serverTiming(cache: CachedBody["cache"], duration: Milliseconds): string {
  return `render;dur=${duration.toFixed(1)}, cache;desc=${cache}`;
}
