import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { nameOf } from "../../platform/errors.ts";
import { createHealthLog } from "../../platform/health-log.ts";
import { callHeaders } from "../../platform/request-context.ts";
import type { Site } from "../../sites/countries.ts";
import type { AppContext } from "../feature.ts";

/** Returns the `ETag` that a fragment without parameters has now, if it can be rendered. */
export type EtagOf = (fragment: string, site: Site) => Promise<string | undefined>;

/**
 * The pauses before the requests of a check. The first answer after a soft purge may be the old copy, and the furthest
 * places of an edge drop theirs seconds later.
 */
const defaultPauses: readonly Milliseconds[] = [1, 2, 4, 8, 15].map((seconds) => seconds * second);
const deadline: Milliseconds = 3 * second;

/** How a check ends. */
export type PurgeCheckOutcome = "shown" | "kept" | "unanswered";
const outcomes: readonly PurgeCheckOutcome[] = ["shown", "kept", "unanswered"];

/** What an edge answers: an `ETag` without its marks, or why there is none. */
type Seen = { etag: string } | { fault: string };

/**
 * Creates the checks that purges have an effect. An edge may accept a purge and keep its copy, such as one that doesn't
 * read the header with the tags.
 * @param pauses - how long each request of a check waits
 */
export function createPurgeChecks(
  { countries, logger, metrics, siteOf }: Pick<AppContext, "countries" | "logger" | "metrics" | "siteOf">,
  etagOf: EtagOf,
  pauses = defaultPauses,
) {
  const health = createHealthLog(logger, {
    down: "edge purge accepted, but shoppers don't get what is new",
    up: "edge purges have an effect again",
  });
  // An alert sees an increase only after a first value.
  for (const outcome of outcomes) metrics.purgeChecks.inc({ outcome }, 0);
  const count = (outcome: PurgeCheckOutcome) => metrics.purgeChecks.inc({ outcome });
  /** The checks under way by address. */
  const underWay = new Map<string, AbortController>();
  return {
    /** Begins to check accepted tags: one address per site. A later check of an address replaces an earlier one. */
    begin(tags: readonly string[]): void {
      const checked = new Map(tags.flatMap((tag) => placeOf(tag)).map((place) => [place.site.site, place]));
      for (const { fragment, site } of checked.values()) {
        const url = `${site.origin}/fragments/${fragment}/${site.site}`;
        underWay.get(url)?.abort();
        const ended = new AbortController();
        underWay.set(url, ended);
        check(url, fragment, site, ended.signal).finally(() => {
          if (underWay.get(url) === ended) underWay.delete(url);
        });
      }
    },
    async close(): Promise<void> {
      for (const ended of underWay.values()) ended.abort();
    },
  };

  /** Finds a fragment with a tag; none for images, whose addresses carry hashes. */
  function placeOf(tag: string): { fragment: string; site: Site }[] {
    const country = countries.get(tag.replace(/^country-/, ""));
    if (country) return [{ fragment: "footer", site: country }];
    const [, fragment] = /^fragment-(.+)$/.exec(tag) ?? [];
    return fragment ? [{ fragment, site: siteOf.default }] : [];
  }

  /** Asks the edge until it answers with what the service has now. Never throws. */
  async function check(url: string, fragment: string, site: Site, ended: AbortSignal): Promise<void> {
    const current = new Set<string>();
    let seen: Seen = { fault: "not asked" };
    for (const time of pauses) {
      await pause(time, undefined, { signal: ended, ref: false }).catch(() => undefined);
      if (ended.aborted) return;
      seen = await ask(url, ended);
      const etag = await etagOf(fragment, site).catch(() => undefined);
      if (etag !== undefined) current.add(withoutMarks(etag));
      if (!("etag" in seen) || !current.has(seen.etag)) continue;
      count("shown");
      health.up(site.site);
      return;
    }
    if (ended.aborted) return;
    count("etag" in seen ? "kept" : "unanswered");
    health.down({ reason: "etag" in seen ? `the old copy, ${pauses.length} times` : seen.fault, site: site.site });
  }
}

/** Asks the site's origin, as a shopper's browser would. */
async function ask(url: string, ended: AbortSignal): Promise<Seen> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(deadline)]);
  try {
    const { default: undici } = await import("undici");
    const answer = await undici.request(url, { headers: { "accept-encoding": "identity", ...callHeaders() }, signal });
    await answer.body.dump();
    const { etag } = answer.headers;
    if (answer.statusCode !== 200) return { fault: `status ${answer.statusCode}` };
    return typeof etag === "string" ? { etag: withoutMarks(etag) } : { fault: "an answer without ETag" };
  } catch (error) {
    return { fault: signal.aborted ? `no answer within ${deadline} ms` : `no answer (${nameOf(error)})` };
  }
}

/** Removes what an edge adds to an `ETag` when it compresses: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.3 */
function withoutMarks(etag: string): string {
  return etag.replace(/^W\//, "").replace(/[-;](?:gzip|br|zstd)"$/, '"');
}
