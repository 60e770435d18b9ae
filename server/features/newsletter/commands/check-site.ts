import { UsageError } from "../../../platform/errors.ts";

/** @throws UsageError unless the site is one of the service's, or none is named */
export function checkSite(site: string | undefined, sites: readonly string[]): void {
  if (site !== undefined && !sites.includes(site)) throw new UsageError([`there is no site ${site}`]);
}
