import type { Moment } from "../../client/rules/time.ts";
import { ClientGoneError } from "../platform/errors.ts";
import { createHealthLog, type HealthLog } from "../platform/health-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { Site } from "../sites/countries.ts";
import type { Fallback, Fragment, FragmentVariant } from "./fragment.ts";
import { renderFragment } from "./render-element.ts";
import type { CachedBody, ResponseCache } from "./response-cache.ts";

export type FragmentRenderer = ReturnType<typeof createFragmentRenderer>;

/** Creates the renderer of all fragments and of their fallbacks. */
export function createFragmentRenderer(responseCache: ResponseCache, logger: Logger) {
  const healthLogs = new Map<string, HealthLog>();
  /** The bodies of fallbacks, by fragment and site, then by their keys. */
  const fallbackBodies = new Map<string, Map<string, Buffer>>();
  return { render, renderFallback, prepareFallbacks };

  /**
   * Renders a variant of a fragment. After a failure, which is logged, returns the last good body, or else the
   * fragment's fallback: a composer gets 200 in any case, as with stale-if-error (RFC 5861, 4). A hit costs one lookup
   * in the cache, and no health log is touched.
   * @param signal - aborts the render if the client disconnects and no other request waits for it
   * @throws ClientGoneError if that is the reason of `signal`
   */
  async function render(variant: FragmentVariant, signal?: AbortSignal): Promise<CachedBody> {
    try {
      const rendered = await responseCache.fetch(variant, signal);
      if (rendered.state === "stale") healthLogOf(variant).down({ err: rendered.failure });
      else if (rendered.cache !== "hit") healthLogOf(variant).up();
      return rendered;
    } catch (failure) {
      if (failure instanceof ClientGoneError) throw failure;
      healthLogOf(variant).down({ err: failure });
      const { body } = await renderFallback(variant.fragment, variant.site);
      return { body, state: "fallback", cache: "miss" };
    }
  }

  /** One health log per fragment and site, because a failure of one may not affect the others. */
  function healthLogOf({ fragment: { name: fragment }, site: { site } }: FragmentVariant): HealthLog {
    const key = `${fragment} ${site}`;
    const messages = { down: "fragment rendering failed", up: "fragment rendering recovered" };
    const healthLog =
      healthLogs.get(key) ?? createHealthLog(logger, { ...messages, fields: { fragment, site }, level: "error" });
    healthLogs.set(key, healthLog);
    return healthLog;
  }

  /**
   * Returns the current fallback of a fragment, and when the next one replaces it. Costs a render at most once per
   * fallback: its body is kept.
   * @throws what a component throws, which can't happen once the fallbacks are prepared
   */
  async function renderFallback(fragment: Fragment, site: Site): Promise<{ body: Buffer; until: Moment }> {
    const at = Date.now();
    const all = fragment.fallbacks(site);
    const fallback = all.findLast(({ from }) => from <= at);
    const until = all.find(({ from }) => from > at)?.from ?? Infinity;
    return { body: fallback ? await fallbackBody(fragment, site, fallback, all) : Buffer.alloc(0), until };
  }

  /**
   * Renders every fallback of a site, including those of later moments, so that none is rendered when it is needed.
   * @throws what a component throws
   */
  async function prepareFallbacks(fragments: readonly Fragment[], site: Site): Promise<void> {
    for (const fragment of fragments) {
      const all = fragment.fallbacks(site);
      for (const fallback of all) await fallbackBody(fragment, site, fallback, all);
    }
  }

  /**
   * @param all - the current fallbacks of the fragment; bodies of earlier ones are dropped
   */
  async function fallbackBody(
    { name }: Fragment,
    { site }: Site,
    { key, build }: Fallback,
    all: readonly Fallback[],
  ): Promise<Buffer> {
    const place = `${name} ${site}`;
    const known = fallbackBodies.get(place)?.get(key);
    if (known) return known;
    const body = await renderFragment(build().element());
    const others = [...(fallbackBodies.get(place) ?? [])].filter(([other]) => all.some((one) => one.key === other));
    fallbackBodies.set(place, new Map([...others, [key, body]]));
    return body;
  }
}
