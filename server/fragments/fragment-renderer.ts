import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { ClientGoneError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { renderStream } from "../render/render-stream.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";

export interface RenderedFragment {
  body: Buffer | Readable;
  /** Strong validator with its quotes; missing on a fallback. */
  etag?: string;
  state: "fresh" | "stale" | "fallback";
  cache: "hit" | "miss" | "collapsed" | "bypass";
  /** Time this request waited for its body, in milliseconds. */
  duration: number;
}

export interface FragmentRenderer {
  /**
   * Gives a fragment, whatever happens: fresh, else the last good one, else its fallback.
   * @param fragment - renders with its data as it is now, unless the options say otherwise
   */
  render<P extends object, D extends object>(
    fragment: Fragment<P, object, D>,
    site: Site,
    parameters: P,
    options?: RenderOptions<D>,
  ): Promise<RenderedFragment>;
  /** The fallback of a fragment as it is now, prepared when the service started. */
  fallback(fragment: Fragment, site: Site): Buffer;
}

export interface RenderOptions<Data extends object = object> {
  /** Ends the render when the client goes; heeded where no other request waits for the same render. */
  signal?: AbortSignal;
  /** Stands in for the fragment's data, for example that of another day. */
  data?: Data;
}

interface RendererOptions {
  /** Identifies the build; part of every ETag. */
  build: string;
  fragments: readonly Fragment[];
  sites: readonly Site[];
  /** False renders every request anew. */
  cache: boolean;
  logger: Logger;
  metrics: Metrics;
  /** Longest time for one render, in milliseconds. */
  deadline?: number;
  /** Replaces the React renderer, to try out its failures. */
  renderElement?: typeof renderStream;
}

interface Kept {
  body: Buffer;
  etag: string;
}

/** The declared inputs: all that a fragment's bytes depend on beside the build. */
interface Inputs {
  fragment: Fragment;
  site: Site;
  parameters: object;
  data: object | undefined;
}

/** What is rendered, and the validator of what will come of it. */
interface Prepared {
  props: object;
  etag: string;
}

/** The body that stands in from a moment on, in milliseconds since the epoch. */
interface Fallback {
  from: number;
  body: Buffer;
}

/** What is kept is made anew after this time, in milliseconds, so that changes outside the build come through. */
const freshFor = 60_000;
/** Longest time for one render, in milliseconds. */
const standardDeadline = 800;
/** More than all sites, platforms and switches together. */
const maxKept = 2_000;

/**
 * Prepares the fallbacks of every fragment and site, and creates the renderer.
 * @throws what a component throws: a service that can't even render its fallbacks must not start
 */
export async function createFragmentRenderer(options: RendererOptions): Promise<FragmentRenderer> {
  const { build, logger, metrics, deadline = standardDeadline, renderElement = renderStream } = options;
  const fallbacks = await prepareFallbacks(options);

  const kept = new LRUCache<string, Kept, Inputs>({
    max: maxKept,
    ttl: freshFor,
    // Looked up now, not when the library loaded, so that a test's clock counts.
    perf: performance,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (_key, _stale, { context }) => renderKept(context),
  });
  const prepared = new LRUCache<string, Prepared, Inputs>({
    max: maxKept,
    ttl: freshFor,
    memoMethod: (_key, _stale, { context }) => prepare(context),
  });

  return { render: options.cache ? renderCached : renderAnew, fallback };

  async function renderCached<P extends object>(
    fragment: Fragment<P>,
    site: Site,
    parameters: P,
    { data = fragment.data?.(site) }: RenderOptions = {},
  ) {
    const started = performance.now();
    const status: LRUCache.Status<string, Kept, Inputs> = {};
    try {
      const context = { fragment: fragment as Fragment, site, parameters, data };
      const found = await kept.forceFetch(keyOf(context), { context, status });
      if (status.fetchError) logFailure(fragment.name, site, status.fetchError);
      return answer(found, status, started);
    } catch (error) {
      logFailure(fragment.name, site, error);
      return answerFallback(fragment, site, started);
    }
  }

  async function renderAnew<P extends object>(
    fragment: Fragment<P>,
    site: Site,
    parameters: P,
    { data = fragment.data?.(site), signal }: RenderOptions = {},
  ) {
    const started = performance.now();
    try {
      const context = { fragment: fragment as Fragment, site, parameters, data };
      const { props, etag } = prepared.memo(keyOf(context), { context });
      const body = await timeRender(context.fragment, props, signal);
      return { body, etag, state: "fresh", cache: "bypass", duration: performance.now() - started } as const;
    } catch (error) {
      if (error instanceof ClientGoneError) throw error;
      logFailure(fragment.name, site, error);
      return answerFallback(fragment, site, started);
    }
  }

  async function renderKept(inputs: Inputs): Promise<Kept> {
    const { props, etag } = prepare(inputs);
    return { body: await collect(await timeRender(inputs.fragment, props)), etag };
  }

  async function timeRender(fragment: Fragment, props: object, signal?: AbortSignal): Promise<Readable> {
    const end = metrics.renders.startTimer({ fragment: fragment.name });
    try {
      return await renderElement(fragment.render(props), { deadline, signal, startAt: "all" });
    } finally {
      end();
    }
  }

  /** Props and build decide every byte, so their hash is the same on every replica, and known before the render. */
  function prepare({ fragment, site, parameters, data }: Inputs): Prepared {
    const props = fragment.props(site, parameters, data);
    const hash = createHash("sha256").update(build).update(JSON.stringify(props)).digest("base64url");
    return { props, etag: `"${hash.slice(0, 27)}"` };
  }

  function fallback(fragment: Pick<Fragment, "name">, site: Site): Buffer {
    const versions = fallbacks.get(`${fragment.name} ${site.site}`);
    return versions?.findLast(({ from }) => from <= Date.now())?.body ?? Buffer.alloc(0);
  }

  function answerFallback(fragment: Pick<Fragment, "name">, site: Site, started: number) {
    const duration = performance.now() - started;
    return { body: fallback(fragment, site), state: "fallback", cache: "miss", duration } as const;
  }

  function logFailure(fragment: string, site: Site, error: unknown) {
    logger.error({ fragment, site: site.site, err: error }, "fragment not rendered");
  }
}

function keyOf({ fragment, site, parameters, data }: Inputs): string {
  return JSON.stringify([fragment.name, site.site, parameters, data]);
}

function answer(kept: Kept, status: LRUCache.Status<string, Kept, Inputs>, started: number): RenderedFragment {
  return {
    ...kept,
    state: status.fetchError ? "stale" : "fresh",
    cache: status.fetch === "hit" ? "hit" : status.fetch === "inflight" ? "collapsed" : "miss",
    duration: performance.now() - started,
  };
}

async function prepareFallbacks({
  fragments,
  sites,
  deadline = standardDeadline,
}: RendererOptions): Promise<Map<string, Fallback[]>> {
  const fallbacks = new Map<string, Fallback[]>();
  for (const fragment of fragments) {
    for (const site of sites) {
      const versions = fragment.fallbackVersions?.(site) ?? [{ from: -Infinity, data: undefined }];
      const bodies = versions.map(async ({ from, data }) => {
        const element = fragment.render(fragment.props(site, fragment.fallbackParameters, data));
        return { from, body: await collect(await renderStream(element, { deadline, startAt: "all" })) };
      });
      fallbacks.set(`${fragment.name} ${site.site}`, await Promise.all(bodies));
    }
  }
  return fallbacks;
}

async function collect(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}
