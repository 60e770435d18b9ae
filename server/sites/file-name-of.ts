/** Gives the name of a site's file without its ending: ch-fr for CH_FR. */
export function fileNameOf(site: string): string {
  return site.toLowerCase().replace("_", "-");
}
