import type { Milliseconds } from "../../client/rules/time.ts";
import { ClientGoneError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { createOutage, type Outage } from "../outage.ts";
import {
  type AnswerOptions,
  type AnswerVariant,
  answerAnew,
  answerFromCache,
  type FragmentAnswer,
} from "./answer-variant.ts";
import type { Fallbacks } from "./fallbacks.ts";
import type { FragmentVariant } from "./fragment.ts";

export interface RenderedFragment extends Omit<FragmentAnswer, "failure"> {
  /** How long this request waited for its body. */
  duration: Milliseconds;
}

export interface FragmentRenderer extends Pick<AnswerVariant, "again" | "keeps"> {
  /**
   * Gives a variant of a fragment: fresh, or the last good one, or the fragment's fallback. The log tells of failures.
   * @param signal - ends the render when the client goes, where no other request waits for the same render
   * @throws ClientGoneError when that is the reason of `signal`
   */
  render(variant: FragmentVariant, signal?: AbortSignal): Promise<RenderedFragment>;
}

interface RendererOptions extends AnswerOptions {
  /** Whether answers are kept; false renders every request anew. */
  cache: boolean;
  fallbacks: Pick<Fallbacks, "current">;
  logger: Logger;
}

/** Creates the renderer of all fragments. */
export function createFragmentRenderer(options: RendererOptions): FragmentRenderer {
  const { fallbacks, logger } = options;
  const outages = new Map<string, Outage>();
  const { answer, ...cache } = options.cache ? answerFromCache(options) : answerAnew(options);
  return {
    ...cache,
    async render(variant, signal) {
      const started = performance.now();
      const { failure, ...rendered } = await answerAnyway(variant, signal);
      if (rendered.state !== "fresh") outageOf(variant).failed({ err: failure });
      else if (rendered.cache !== "hit") outageOf(variant).answered();
      return { ...rendered, duration: performance.now() - started };
    },
  };

  /** What fails for one site or fragment may well work for others. */
  function outageOf({ fragment: { name: fragment }, site: { site } }: FragmentVariant): Outage {
    const key = `${fragment} ${site}`;
    const words = { away: "the service could not render the fragment", back: "the service renders the fragment again" };
    const outage = outages.get(key) ?? createOutage(logger, { ...words, fields: { fragment, site }, level: "error" });
    outages.set(key, outage);
    return outage;
  }

  async function answerAnyway(variant: FragmentVariant, signal?: AbortSignal): Promise<FragmentAnswer> {
    try {
      return await answer(variant, signal);
    } catch (failure) {
      if (failure instanceof ClientGoneError) throw failure;
      const { body } = await fallbacks.current(variant.fragment, variant.site);
      return { body, state: "fallback", cache: "miss", failure };
    }
  }
}
