import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Moment, second } from "../../../client/rules/time.ts";
import { isReported } from "../../platform/errors.ts";
import type { Site } from "../../sites/countries.ts";
import { checkSiteContent, type SiteContent } from "../../sites/site-content.ts";
import { createFetchJson } from "../../upstream/fetch-json.ts";
import { createPoller } from "../../upstream/poller.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { AppContext } from "../feature.ts";
import type { Content, RefusedContent } from "./service.ts";

/** Recently refused answers by their ids. Each was logged once. */
type Refusals = LRUCache<string, RefusedContent>;

interface SiteState {
  content: SiteContent;
  since?: Moment;
  refused?: RefusedContent | undefined;
  refusals: Refusals;
  /** Refused answers to previews, kept apart so that they can't evict the others. */
  previewRefusals: Refusals;
  /** Whether the log has reported the refusal. */
  isReported: boolean;
  /** The number of consecutive accepted polls. */
  accepted: number;
  /** Whether the service has been polled before. If so, the edge may have stored the previous content. */
  isPolled?: true;
}

/** The service's answer breaks the rules of a country's file. The call has failed, but the service isn't down. */
class RefusedError extends Error {
  readonly refused: RefusedContent;

  constructor(refused: RefusedContent) {
    super("content refused");
    this.refused = refused;
  }
}

const name = "content";
const base = "/service/footercontent/api/v1/content";
/** How many faults of an answer are logged and shown, and how much of each. */
const limits = { faults: 10, length: 200 };
/** How many refusals are remembered per site. Enough for a service whose replicas give different answers. */
const keptRefusals = 20;
/**
 * The number of consecutive accepted polls after which a service has recovered. A service with alternating good and bad
 * answers hasn't.
 */
const steadyPolls = 3;
/** The longest footer, with everything that the content may show. A built-in one has 26,000 characters. */
const longestFooter = 256 * 1024;

interface UpstreamOptions {
  builtInOf(site: Site): SiteContent;
  /**
   * Renders everything that a footer with this content may show.
   * @throws what a component throws
   */
  render: (content: SiteContent) => string;
  purge: ((key: string) => Promise<void>) | undefined;
}

/**
 * Keeps the current content of every site available: that of the real service, or the built-in one if the service has
 * none. After a failed call or a refused answer, a site keeps its last content indefinitely: unlike an old promotion,
 * an old footer is still correct, and the built-in one is even older.
 */
export function createContentUpstream(
  context: AppContext,
  upstream: Upstream,
  { builtInOf, render, purge }: UpstreamOptions,
): Content {
  const { countries, logger } = context;
  const { sites } = countries;
  const states = new Map<string, SiteState>();
  // The service's start waits for the first calls.
  const fetchJson = createFetchJson({ ...upstream, name, deadline: 2 * second, maxAnswer: 256 * 1024 });
  const messages = { down: "content unavailable, footers keep the last one", up: "content recovered" };
  return {
    jobs: [createPoller<Site>({ subjects: sites, nameOf: ({ site }) => site, logger, messages, purge, poll })],
    contents: {
      current: (site) => stateOf(site).content,
      async previewed(site, { cookie }) {
        const state = stateOf(site);
        try {
          return await find(site, state.previewRefusals, cookie);
        } catch (error) {
          if (!(error instanceof RefusedError) && !isReported(error))
            logger.warn({ site: site.site, err: error }, "previewed content unavailable");
          return state.content;
        }
      },
      report(site) {
        const { content, since, refused } = stateOf(site);
        return { parts: content.parts, since, refused };
      },
    },
  };

  function stateOf(site: Site): SiteState {
    const state = states.get(site.site) ?? {
      content: builtInOf(site),
      refusals: new LRUCache({ max: keptRefusals }),
      previewRefusals: new LRUCache({ max: keptRefusals }),
      isReported: false,
      accepted: 0,
    };
    states.set(site.site, state);
    return state;
  }

  /**
   * Adopts a site's new content.
   * @returns the `Surrogate-Key` of everything in which it has changed
   */
  async function poll(site: Site): Promise<string[]> {
    const state = stateOf(site);
    try {
      const content = await find(site, state.refusals);
      const isOther = content !== state.content;
      if (isOther) logUnknownImages(content);
      state.accepted += 1;
      if (state.isReported && state.accepted >= steadyPolls) {
        state.isReported = false;
        state.refusals.clear();
        logger.info({ site: site.site }, "content accepted again");
      }
      if (isOther || state.since === undefined) state.since = Date.now();
      state.content = content;
      state.refused = undefined;
      return isOther && state.isPolled ? [`country-${site.site}`] : [];
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      state.refused = error.refused;
      state.isReported = true;
      state.accepted = 0;
      return [];
    } finally {
      state.isPolled = true;
    }
  }

  /**
   * Fetches the content of a site.
   * @param cookie - that of staff who preview; undefined for the content that everybody sees, which is polled
   * @throws UpstreamError or RefusedError
   */
  async function find(site: Site, refusals: Refusals, cookie?: string): Promise<SiteContent> {
    const content = await fetchJson({
      path: `${base}/${site.site}`,
      headers: cookie === undefined ? {} : { cookie },
      polledFor: cookie === undefined ? site.site : undefined,
      validate: (answer) => ({ valid: true as const, data: check(site, answer, refusals) }),
    });
    return content ?? builtInOf(site);
  }

  /**
   * Checks an answer and renders it on trial, unless it is known. Logs a new refusal.
   * @throws RefusedError
   */
  function check(site: Site, answer: unknown, refusals: Refusals): SiteContent {
    const { content, previewRefusals } = stateOf(site);
    const id = createHash("sha256").update(JSON.stringify(answer)).digest("base64url").slice(0, 27);
    if (id === content.id) return content;
    const known = refusals.get(id);
    if (known) throw new RefusedError(known);
    const result = checkSiteContent(context, site, answer, id);
    if (!result.valid) throw refuse(result.faults);
    if (lengthOf(result.data) > longestFooter)
      throw refuse([`makes a footer of more than ${longestFooter} characters`]);
    return result.data;

    function lengthOf(checked: SiteContent): number {
      try {
        return render(checked).length;
      } catch (error) {
        throw refuse(["can't be rendered"], { err: error });
      }
    }

    function refuse(all: readonly string[], cause: { err?: unknown } = {}): RefusedError {
      const faults = all.slice(0, limits.faults).map((fault) => fault.slice(0, limits.length));
      const count = all.length;
      const refused = { id, at: Date.now(), faults, count };
      refusals.set(id, refused);
      const isPreview = refusals === previewRefusals;
      const message = isPreview ? "previewed content refused" : "content refused, the last one stays";
      logger.warn({ site: site.site, faults, count, ...cause }, message);
      return new RefusedError(refused);
    }
  }

  function logUnknownImages({ parts, site: { site, unknownImages } }: SiteContent) {
    if (!parts.includes("footer")) return;
    for (const { path, name: source } of unknownImages.filter(({ path }) => path.startsWith("/footer/")))
      logger.error({ site, field: path, source }, "the content names an image that doesn't exist: none is shown");
  }
}
