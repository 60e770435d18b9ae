import type { Milliseconds } from "../../client/rules/time.ts";
import { ClientGoneError } from "../platform/errors.ts";
import { createHealthLog, type HealthLog } from "../platform/health-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { Fallbacks } from "./fallbacks.ts";
import type { FragmentVariant } from "./fragment.ts";
import type { CachedBody, ResponseCache } from "./response-cache.ts";

export interface RenderedFragment extends Omit<CachedBody, "failure"> {
  /** How long this request waited for its body. */
  duration: Milliseconds;
}

export interface FragmentRenderer {
  /**
   * Renders a variant of a fragment: fresh, or the last good one, or the fragment's fallback. Failures are logged.
   * @param signal - aborts the render when the client disconnects, if no other request waits for it
   * @throws ClientGoneError if that is the reason of `signal`
   */
  render(variant: FragmentVariant, signal?: AbortSignal): Promise<RenderedFragment>;
}

interface RendererOptions {
  fallbacks: Fallbacks;
  logger: Logger;
  responseCache: ResponseCache;
}

/** Creates the renderer of all fragments. */
export function createFragmentRenderer({ fallbacks, logger, responseCache }: RendererOptions): FragmentRenderer {
  const healthLogs = new Map<string, HealthLog>();
  return {
    async render(variant, signal) {
      const startedAt = performance.now();
      const { failure, ...rendered } = await fetchOrFallBack(variant, signal);
      if (rendered.state !== "fresh") healthLogOf(variant).failed({ err: failure });
      else if (rendered.cache !== "hit") healthLogOf(variant).answered();
      return { ...rendered, duration: performance.now() - startedAt };
    },
  };

  /** What fails for one site or fragment may well work for others. */
  function healthLogOf({ fragment: { name: fragment }, site: { site } }: FragmentVariant): HealthLog {
    const key = `${fragment} ${site}`;
    const messages = { down: "fragment rendering failed", up: "fragment rendering recovered" };
    const healthLog =
      healthLogs.get(key) ?? createHealthLog(logger, { ...messages, fields: { fragment, site }, level: "error" });
    healthLogs.set(key, healthLog);
    return healthLog;
  }

  async function fetchOrFallBack(variant: FragmentVariant, signal?: AbortSignal): Promise<CachedBody> {
    try {
      return await responseCache.fetch(variant, signal);
    } catch (failure) {
      if (failure instanceof ClientGoneError) throw failure;
      const { body } = await fallbacks.current(variant.fragment, variant.site);
      return { body, state: "fallback", cache: "miss", failure };
    }
  }
}
