import { StartError } from "../errors.ts";

/**
 * Checks the site that an option names.
 * @throws StartError when there is no such site
 */
export function checkSite(site: string | undefined, sites: readonly string[]): void {
  if (site !== undefined && !sites.includes(site)) throw new StartError([`there is no site ${site}`]);
}
