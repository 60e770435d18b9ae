import { type Env, upstreamsOf } from "../config/env.ts";
import type { ServiceName } from "../config/real-services.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Site } from "../sites/countries.ts";
import { createUpstreamHealthLog, type Upstream } from "./upstream.ts";

/** What each site has of one kind. */
export interface SiteChoices<Choice> {
  /** Everything that at least one site has. */
  all: ReadonlySet<Choice>;
  of(site: Pick<Site, "site">): Choice;
}

/** The service of each site: a real one, or undefined for the embedded one. */
export type SiteUpstreams = SiteChoices<Upstream | undefined>;

export type Upstreams = Readonly<Record<ServiceName, SiteUpstreams>>;

/** Creates an upstream for each URL of a real service. All of its callers share its health log. */
export function openUpstreams(
  env: Pick<Env, "upstreams" | "siteUpstreams">,
  sites: readonly Pick<Site, "site">[],
  logger: Logger,
  metrics: Metrics,
): Upstreams {
  return {
    abtest: open("abtest"),
    content: open("content"),
    customer: open("customer"),
    login: open("login"),
    newsletter: open("newsletter"),
    preview: open("preview"),
    promotion: open("promotion"),
  };

  function open(name: ServiceName): SiteUpstreams {
    const bySite = new Map<string, Upstream | undefined>();
    for (const [url, served] of Map.groupBy(sites, ({ site }) => upstreamsOf(env, site)[name]?.replace(/\/+$/, ""))) {
      const codes = served.map(({ site }) => site);
      const named = served.length < sites.length ? codes : undefined;
      const upstream = url ? { url, metrics, outage: createUpstreamHealthLog(name, logger, named) } : undefined;
      for (const code of codes) bySite.set(code, upstream);
    }
    return { all: new Set(bySite.values()), of: ({ site }) => bySite.get(site) };
  }
}

/**
 * Opens every service that answers on at least one site, and no other.
 * @param open - creates the client of a real service, or the embedded service if it gets undefined
 */
export async function openServices<Choice, Service extends object>(
  choices: SiteChoices<Choice>,
  open: (choice: Choice) => Service | Promise<Service>,
) {
  const opened = new Map<Choice, Service>();
  for (const choice of choices.all) opened.set(choice, await open(choice));
  return {
    all: [...opened.values()],
    of(site: Site): Service {
      const service = opened.get(choices.of(site));
      if (!service) throw new RangeError(`${site.site} is no site of this service`);
      return service;
    },
  };
}
