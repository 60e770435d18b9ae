import { expect, it } from "vitest";
import { openFooter } from "../support/open-footer.ts";
import { createTestApp, siteOf } from "../support/test-app.ts";
import { type NineSite, nine } from "./nine.ts";

/** Of each site its locale, the locale of its footer, its code in the switcher, its flag and its local host. */
const specified: Record<NineSite, string[]> = {
  DE: ["de-DE", "de", "de", "germany", "de.localhost"],
  AT: ["de-AT", "de", "at", "austria", "at.localhost"],
  CH: ["de-CH", "de", "ch", "switzerland", "ch.localhost"],
  CH_FR: ["fr-CH", "fr-CH", "ch_fr", "switzerland", "ch-fr.localhost"],
  PL: ["pl-PL", "pl-PL", "pl", "poland", "pl.localhost"],
  CZ: ["cs-CZ", "cs-CZ", "cz", "czech-republic", "cz.localhost"],
  HU: ["hu-HU", "hu-HU", "hu", "hungary", "hu.localhost"],
  SK: ["sk-SK", "sk-SK", "sk", "slovakia", "sk.localhost"],
  TR: ["tr-TR", "tr-TR", "tr", "turkey", "tr.localhost"],
};

/**
 * The names that visitors of each country use: Česko is sorted under C, Österreich under O, as in English dictionaries.
 */
const specifiedNames = [
  ...["Česko", "Deutschland", "Magyarország", "Österreich", "Polska"],
  ...["Schweiz", "Slovensko", "Suisse", "Türkiye"],
];

it("there are the nine sites, with their locales, codes, flags and hosts", () => {
  const found = Object.keys(specified).map((code) => {
    const { site, locale, footerLocale, switcher, localHost } = siteOf(code);
    return [site, [locale, footerLocale, switcher.code, switcher.flag, localHost]];
  });
  expect(Object.fromEntries(found)).toEqual(specified);
});

it("every country switcher lists the countries by their own names, in alphabetical order", async () => {
  const { app } = await createTestApp();
  for (const site of nine) {
    const $ = await openFooter(app, site);
    const names = $("[data-section=country-switcher] li")
      .map((_index, item) => $(item).text())
      .get();
    expect(
      names.filter((name) => specifiedNames.includes(name)),
      site,
    ).toEqual(specifiedNames);
  }
});
