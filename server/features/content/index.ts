import { createHash } from "node:crypto";
import { type Moment, second } from "../../../client/rules/time.ts";
import { isReported } from "../../platform/errors.ts";
import type { Site } from "../../sites/countries.ts";
import { builtInContent, checkSiteContent, type SiteContent } from "../../sites/site-content.ts";
import { createFetchJson } from "../../upstream/fetch-json.ts";
import { createSitePoller } from "../../upstream/site-poller.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { AppContext, Feature } from "../feature.ts";
import type { Contents, RefusedContent } from "./service.ts";

interface Content extends Feature {
  contents: Contents;
}

interface SiteState {
  content: SiteContent;
  since?: Moment;
  refused?: RefusedContent | undefined;
  /** Whether the service was asked before, so that the edge may store what was shown until now. */
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
/** The faults of one answer that are logged and shown, and the length of each. */
const limits = { faults: 10, length: 200 };

/**
 * The content of the sites' footers: the built-in one, or that of the content service.
 * @param purge - purges a `Surrogate-Key` from the edge; undefined without an edge to purge
 */
export function createContent(context: AppContext, purge?: (key: string) => Promise<void>): Content {
  const known = new WeakMap<Site, SiteContent>();
  const builtInOf = (site: Site) => {
    const content = known.get(site) ?? builtInContent(site, context.texts);
    known.set(site, content);
    return content;
  };
  const real = context.upstreams.content.of(context.siteOf.default);
  if (real) return createContentUpstream(context, real, builtInOf, purge);
  return { contents: { current: builtInOf, previewed: async (site) => builtInOf(site) } };
}

/**
 * Keeps the content of every site at hand that the real service gives, or the built-in one where it has none. A failed
 * call or a refused answer leaves a site with its last content for good: unlike a promotion, an old footer is still true,
 * and better than one that was built in even earlier.
 */
function createContentUpstream(
  context: AppContext,
  upstream: Upstream,
  builtInOf: (site: Site) => SiteContent,
  purge?: (key: string) => Promise<void>,
): Content {
  const { countries, logger } = context;
  const { sites } = countries;
  const states = new Map<string, SiteState>();
  // The service's start waits for the first calls.
  const fetchJson = createFetchJson({ ...upstream, name, deadline: 2 * second, maxAnswer: 256 * 1024 });
  const messages = { down: "content unavailable, footers keep the last one", up: "content recovered" };
  return {
    jobs: [createSitePoller({ sites, logger, messages, purge, poll })],
    contents: {
      current: (site) => stateOf(site).content,
      async previewed(site, { cookie }) {
        const state = stateOf(site);
        try {
          return await find(site, { cookie });
        } catch (error) {
          if (error instanceof RefusedError) {
            if (error.refused !== state.refused) logRefused("previewed content refused", site, error.refused);
          } else if (!isReported(error)) logger.warn({ site: site.site, err: error }, "previewed content unavailable");
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
    const state = states.get(site.site) ?? { content: builtInOf(site) };
    states.set(site.site, state);
    return state;
  }

  /** Takes over a site's content. Returns whether it has changed. */
  async function poll(site: Site): Promise<boolean> {
    const state = stateOf(site);
    try {
      const content = await find(site);
      const isOther = content !== state.content;
      if (isOther) logUnknownImages(content);
      if (state.refused) logger.info({ site: site.site }, "content accepted again");
      if (isOther || state.since === undefined) state.since = Date.now();
      state.content = content;
      state.refused = undefined;
      return isOther && state.isPolled === true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.refused !== state.refused) logRefused("content refused, the last one stays", site, error.refused);
      state.refused = error.refused;
      return false;
    } finally {
      state.isPolled = true;
    }
  }

  /**
   * Fetches the content of a site.
   * @throws UpstreamError, or RefusedError
   */
  async function find(site: Site, headers: Record<string, string> = {}): Promise<SiteContent> {
    const validate = (answer: unknown) => ({ valid: true as const, data: check(site, answer) });
    return (await fetchJson({ path: `${base}/${site.site}`, headers, validate })) ?? builtInOf(site);
  }

  /** Checks an answer, unless it is that of the last time. */
  function check(site: Site, answer: unknown): SiteContent {
    const { content, refused } = stateOf(site);
    const id = createHash("sha256").update(JSON.stringify(answer)).digest("base64url").slice(0, 27);
    if (id === content.id) return content;
    if (id === refused?.id) throw new RefusedError(refused);
    const result = checkSiteContent(context, site, answer, id);
    if (result.valid) return result.data;
    const faults = result.faults.slice(0, limits.faults).map((fault) => fault.slice(0, limits.length));
    throw new RefusedError({ id, at: Date.now(), faults, count: result.faults.length });
  }

  function logRefused(message: string, { site }: Site, { faults, count }: RefusedContent) {
    logger.warn({ site, faults, count }, message);
  }

  function logUnknownImages({ parts, site: { site, unknownImages } }: SiteContent) {
    if (!parts.includes("footer")) return;
    for (const { path, name: source } of unknownImages.filter(({ path }) => path.startsWith("/footer/")))
      logger.error({ site, field: path, source }, "the content names an image that doesn't exist: none is shown");
  }
}
