import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { minute } from "../../client/rules/time.ts";
import type { Metrics } from "../metrics.ts";
import type { renderStream } from "../render/render-stream.ts";
import { inSpan } from "../tracing/in-span.ts";
import type { FragmentContent, FragmentVariant } from "./fragment.ts";
import { renderContent } from "./render-content.ts";

/** What came of a variant. */
export interface FragmentAnswer {
  body: Buffer;
  /** Strong validator of the body, in its quotes; missing on a fallback. */
  etag?: string;
  state: "fresh" | "stale" | "fallback";
  cache: "hit" | "miss" | "collapsed" | "bypass";
  /** What kept the variant from being rendered, when `state` isn't "fresh". */
  failure?: unknown;
}

export interface AnswerVariant {
  /** Answers a variant, fresh or stale. It throws what kept it from being rendered if there is no stale one. */
  answer(variant: FragmentVariant, signal?: AbortSignal): Promise<FragmentAnswer>;
  /**
   * Gives the fresh body of a variant once more, kept or rendered anew; undefined when the variant isn't kept, or no
   * longer. It throws what keeps the variant from being rendered.
   */
  again(variant: FragmentVariant): Buffer | Promise<Buffer> | undefined;
  /** Tells whether there is an answer, fresh or stale, that is kept. */
  keeps(variant: FragmentVariant): boolean;
}

export interface AnswerOptions {
  /** Identifier of the build, which is part of every ETag. */
  build: string;
  metrics: Pick<Metrics, "renders">;
  /** Replaces the React renderer, so that tests can let it fail. */
  renderElement?: typeof renderStream | undefined;
}

/** What is to be rendered, and the validator of the bytes that will come of it. */
interface Prepared {
  content: FragmentContent;
  etag: string;
}

interface Kept {
  body: Buffer;
  etag: string;
}

/** How many variants are kept: more than all sites, platforms and switches make together. */
const maxKept = 2_000;
/** How many variants with text from the address are kept. */
const maxKeptWithText = 200;

/** Gives the options that every cache of variants has. */
function cacheOptions(max: number) {
  return {
    max,
    // What is kept is made anew after this time, so that changes outside the build come through.
    ttl: minute,
    // The library would take the clock that was there when it was loaded, and a test's clock would not count:
    // test/server/fragments/fragment-routes.test.ts
    perf: performance,
    // Else it would take the time of a millisecond ago, and a test's clock wouldn't count that goes on meanwhile.
    ttlResolution: 0,
  };
}

/**
 * Creates a cache of variants, and another one for those with text from the address: of these there is no end, and they
 * would drive the others out (test/server/fragments/answer-variant.test.ts).
 */
function createCaches<Cache>(create: (max: number) => Cache): (variant: FragmentVariant) => Cache {
  const [kept, keptWithText] = [create(maxKept), create(maxKeptWithText)];
  return ({ hasText }) => (hasText ? keptWithText : kept);
}

/** Renders a variant once for all who ask for it within a minute. When that fails, the last good answer stands in. */
export function answerFromCache(options: AnswerOptions): AnswerVariant {
  const cacheOf = createCaches(
    (max) =>
      new LRUCache<string, Kept, FragmentVariant>({
        ...cacheOptions(max),
        allowStaleOnFetchRejection: true,
        noDeleteOnFetchRejection: true,
        noDeleteOnStaleGet: true,
        fetchMethod: async (_key, _stale, { context: variant }) => {
          const { content, etag } = prepare(variant, options.build);
          return { body: await timeRender(variant, content, options), etag };
        },
      }),
  );
  const keeps = (variant: FragmentVariant) => cacheOf(variant).peek(variant.key, { allowStale: true }) !== undefined;
  const again = (variant: FragmentVariant) => cacheOf(variant).get(variant.key)?.body;
  return { answer, again, keeps };

  async function answer(variant: FragmentVariant): Promise<FragmentAnswer> {
    const status: LRUCache.Status<string, Kept, FragmentVariant> = {};
    const { body, etag } = await cacheOf(variant)
      .forceFetch(variant.key, { context: variant, status })
      .catch((error) => {
        // Where nothing stands in, the library throws an error of its own.
        throw status.fetchError ?? error;
      });
    return {
      body,
      etag,
      state: status.fetchError ? "stale" : "fresh",
      cache: status.fetch === "hit" ? "hit" : status.fetch === "inflight" ? "collapsed" : "miss",
      failure: status.fetchError,
    };
  }
}

/** Renders a variant for each who asks for it. Only its props are kept. */
export function answerAnew(options: AnswerOptions): AnswerVariant {
  const cacheOf = createCaches(
    (max) =>
      new LRUCache<string, Prepared, FragmentVariant>({
        ...cacheOptions(max),
        memoMethod: (_key, _stale, { context: variant }) => prepare(variant, options.build),
      }),
  );
  return { answer, again, keeps: () => false };

  async function answer(variant: FragmentVariant, signal?: AbortSignal): Promise<FragmentAnswer> {
    const { content, etag } = cacheOf(variant).memo(variant.key, { context: variant });
    return { body: await timeRender(variant, content, options, signal), etag, state: "fresh", cache: "bypass" };
  }

  function again(variant: FragmentVariant): Promise<Buffer> | undefined {
    const prepared = cacheOf(variant).get(variant.key);
    return prepared && timeRender(variant, prepared.content, options);
  }
}

/**
 * Builds the content of a variant, and its validator: a hash of props and build, which decide every byte. So the
 * validator is known before the render, and equal on every replica.
 */
function prepare(variant: FragmentVariant, build: string): Prepared {
  const content = variant.build();
  const hash = createHash("sha256").update(build).update(JSON.stringify(content.props)).digest("base64url");
  return { content, etag: `"${hash.slice(0, 27)}"` };
}

async function timeRender(
  { fragment, site }: FragmentVariant,
  content: FragmentContent,
  { metrics, renderElement }: AnswerOptions,
  signal?: AbortSignal,
): Promise<Buffer> {
  const end = metrics.renders.startTimer({ fragment: fragment.name });
  const span = {
    name: `render ${fragment.name}`,
    kind: "internal",
    attributes: { "storefront.site": site.site },
  } as const;
  try {
    return await inSpan(span, () => renderContent(content, { signal, renderElement }));
  } finally {
    end();
  }
}
