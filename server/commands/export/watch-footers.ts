import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import type { FragmentData } from "../../../schemas/types.ts";
import { createHealthLog } from "../../platform/health-log.ts";
import type { Logger } from "../../platform/logger.ts";
import { createValidator, keepValid } from "../../platform/validate.ts";
import type { Site } from "../../sites/countries.ts";
import type { FooterSource } from "./standalone-footer.tsx";

const deadline: Milliseconds = 5 * second;

interface WatchOptions {
  /** The address of the service, without a slash at the end. */
  url: string;
  sites: readonly Site[];
  logger: Logger;
  /** The pause between two requests for a site's footer. */
  interval?: Milliseconds;
  /** Ends the watch. */
  signal: AbortSignal;
  /** Writes the footer of a site. */
  write(site: Site, source: FooterSource): Promise<void>;
  /** Called after each failure. */
  onFailure(site: Site): Promise<void>;
}

/** Writes the footers of a service, and again whenever one has another `ETag`, until the signal. */
export async function watchFooters(options: WatchOptions): Promise<void> {
  const { url, sites, logger, interval = 5 * second, signal, write, onFailure } = options;
  const messages = {
    down: "footers can't be exported, the files stay as they are",
    up: "footers are exported again",
  };
  const health = createHealthLog(logger, messages);
  const etags = new Map<Site, string>();
  await Promise.all(sites.map(watch));

  async function watch(site: Site): Promise<void> {
    while (!signal.aborted) {
      try {
        await exportChange(site);
        health.up(site.site);
      } catch (error) {
        if (signal.aborted) return;
        health.down({ err: error, site: site.site });
        await onFailure(site);
      }
      await pause(interval, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Writes the footer of a site if it has changed.
   * @throws Error if the service doesn't answer with a fresh footer, or the file can't be written
   */
  async function exportChange(site: Site): Promise<void> {
    const known = etags.get(site);
    const answer = await fetch(`${url}/fragments/footer/${site.site}.json?links=absolute&newsletter=false`, {
      // Without max-age, fetch would add no-cache, which asks for the whole footer. Caches revalidate by either.
      headers: { "Cache-Control": "max-age=0", ...(known !== undefined && { "If-None-Match": known }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadline)]),
    });
    if (answer.status === 304) return;
    const data = answer.status === 200 ? readFooter(await answer.json()) : undefined;
    const etag = answer.headers.get("ETag");
    if (!data || etag === null) throw new Error(`no fresh footer, but status ${answer.status}`);
    await write(site, data);
    etags.set(site, etag);
  }
}

const validate = createValidator<FragmentData>("fragment-data");

/** Reads a footer as data; undefined unless it is fresh. Fields that a later release may have are ignored. */
function readFooter(answer: unknown): FooterSource | undefined {
  const data = keepValid(answer, validate);
  return data?.state === "fresh" ? data : undefined;
}
