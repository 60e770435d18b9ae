import type { CountryLink, CountrySwitcherProps } from "../../../client/features/footer/footer-props.ts";
import type { Drawings } from "../../brand/load-images.ts";
import type { Translate } from "../../platform/texts.ts";
import type { CountryRegistry, Site } from "../../sites/countries.ts";
import { countryName } from "../../sites/site.ts";

type CountryContext = { countries: CountryRegistry; drawings: Drawings };

/** The path of the page that lists the sites of all countries. */
export const countriesPath = "/countries";

/**
 * The maximum number of countries that a footer lists. More would make every footer larger, and the start slower by
 * their square.
 */
const mostInFooter = 20;

/**
 * Builds the country switcher of a site. With many countries it shows only the current one, and links to the page of
 * all.
 * @param urlOf - writes the URL of a page of the site
 */
export function buildSwitcher(
  context: CountryContext,
  site: Site,
  text: Translate<"footer">,
  urlOf: (path: string) => string,
): CountrySwitcherProps {
  const isLong = context.countries.sites.length > mostInFooter;
  return {
    heading: text("switcher.heading"),
    current: linkTo(site, context),
    ...(isLong ? { url: urlOf(countriesPath) } : { items: listCountries(context) }),
  };
}

/** Lists every site by its name in its own language, sorted by that name. */
export function listCountries(context: CountryContext): CountryLink[] {
  const links = context.countries.sites.map((site) => linkTo(site, context));
  return links.sort((a, b) => a.label.localeCompare(b.label, "en"));
}

function linkTo(site: Site, { drawings: { flags } }: CountryContext): CountryLink {
  const { code, flag } = site.switcher;
  return {
    label: countryName(site),
    code,
    href: `${site.origin}/`,
    flag: flags.get(flag),
    locale: site.locale,
  };
}
