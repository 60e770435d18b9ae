import { LRUCache } from "lru-cache";
import { type Milliseconds, minute } from "../../client/rules/time.ts";
import { strongEtag } from "../http/etag.ts";
import { inSpan } from "../platform/request-context.ts";
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

/** The body of a variant, or its content where every request is rendered. */
export type Entry = { etag: string; bytes: number } & (
  | { body: Buffer; content?: never }
  | { content: FragmentContent; body?: never }
);

/**
 * What is kept for each site, in bytes. Pages include some six fragments of up to 26 kB, as HTML and as JSON. Those with
 * free text take less than 10 kB.
 */
const bytesPerSite = { plain: 700_000, withText: 100_000 };
/** Size of an entry beside its body: headers and key. */
const entryBytes = 3_000;
/** Size of a body and its JSON, which escapes quotes and names the files, beside that of the body. */
const withJson = 2.2;

/** Creates the cache that renders each variant once a minute for all who ask for it. */
export function createResponseCache(context: RenderingContext) {
  const { assets, countries, env, metrics, renderElement } = context;
  const dataOf = createFragmentData(context);
  const plain = createEntries(bytesPerSite.plain);
  // Apart, so that they can't evict the others.
  const withText = createEntries(bytesPerSite.withText);
  const entriesFor = ({ hasText }: FragmentVariant) => (hasText ? withText : plain);
  return { fetch, convert, peek, render };

  function createEntries(perSite: number) {
    return new LRUCache<string, Entry, FragmentVariant>({
      maxSize: perSite * countries.sites.length,
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
        if (!env.renderCache) return { etag, bytes: 2 * props.length, content };
        const body = await render(variant, content);
        return { etag, bytes: withJson * body.length, body };
      },
    });
  }

  /** Returns what is kept of a variant, and whether it is too fresh to be renewed; undefined if nothing is. */
  function peek(variant: FragmentVariant): { entry: Entry; isFresh: boolean } | undefined {
    const status: LRUCache.Status<string, Entry, FragmentVariant> = {};
    const entry = entriesFor(variant).get(variant.key, { allowStale: true, status });
    return entry && { entry, isFresh: status.get === "hit" };
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

  /** Returns the body of a variant in a form. */
  function convert(variant: FragmentVariant, form: Form, rendered: Pick<CachedBody, "body" | "state">): Buffer {
    return form === "html" ? rendered.body : dataOf(variant.fragment, variant.site, rendered);
  }

  /** Renders the body of a variant. */
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

const freshStatus = { hit: "hit", miss: "fwd=miss; stored", collapsed: "fwd=miss; collapsed", bypass: "fwd=bypass" };

/** Returns the value of Cache-Status: https://www.rfc-editor.org/rfc/rfc9211 */
export function cacheStatus({ state, cache }: Pick<CachedBody, "state" | "cache">): string {
  return `storefront; ${state === "fresh" ? freshStatus[cache] : `fwd=miss; detail=${state}`}`;
}

/** Returns the value of Server-Timing. */
export function serverTiming(cache: CachedBody["cache"], duration: Milliseconds): string {
  return `render;dur=${duration.toFixed(1)}, cache;desc=${cache}`;
}
