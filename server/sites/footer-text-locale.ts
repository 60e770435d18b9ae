import type { Country } from "../../schemas/types.ts";

/**
 * Gives the locale of a site's footer texts: the site's own where its footer has that language, which it then falls
 * back to (de-AT, then de), else the footer's.
 */
export function footerTextLocale({ locale, footerLocale }: Pick<Country, "locale" | "footerLocale">): string {
  return locale.startsWith(`${footerLocale}-`) ? locale : footerLocale;
}
