import type { CountrySwitcherItem } from "../../client/footer/footer-props.ts";
import type { CountryRegistry, Site } from "../sites/countries.ts";
import { countryName } from "../sites/country-name.ts";

/** Lists every site by the name that its own visitors use, in the order of those names. */
export function buildSwitcher(countries: CountryRegistry, current: Site): CountrySwitcherItem[] {
  return countries.sites
    .map((site) => ({
      label: countryName(site),
      code: site.switcher.code,
      href: `${site.origin}/`,
      flag: site.switcher.flag,
      selected: site.site === current.site,
      locale: site.locale,
    }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
}
