import type { CountrySwitcherItem } from "../../client/footer/footer-props.ts";
import type { CountryRegistry, Site } from "../sites/countries.ts";

/** Every site under the name its own visitors use, in the order of those names. */
export function buildSwitcher(countries: CountryRegistry, current: Site): CountrySwitcherItem[] {
  return countries.sites
    .map((site) => ({
      label: countryName(site.locale),
      code: site.switcher.code,
      href: `${site.origin}/`,
      flag: site.switcher.flag,
      selected: site.site === current.site,
      locale: site.locale,
    }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
}

function countryName(locale: string): string {
  const { region = "" } = new Intl.Locale(locale);
  return new Intl.DisplayNames(locale, { type: "region" }).of(region) ?? region;
}
