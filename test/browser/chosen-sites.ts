import type { Site } from "../../server/sites/countries.ts";
import { sites } from "../support/test-app.ts";

/** Where things are tried out that are the same on every site. */
export const anySite = siteWith(() => true);

/** Where the newsletter asks for the address only. */
export const plainSite = siteWith(
  ({ newsletter: { salutation, names, legals, lockPrefilled } }) =>
    salutation === "optional" && names === "optional" && !legals && !lockPrefilled,
);

/** Whose time is Central European: dates of the tests are written so. */
export const centralEuropeanSite = siteWith(({ timeZone }) => timeZone === "Europe/Berlin");

/** A site of each kind of newsletter: what its form requires, asks for and locks. */
export const newsletterKinds = [
  ...Map.groupBy(
    sites,
    ({ newsletter: { salutation, names, legals, personalisedOffers, lockPrefilled, familyNameFirst } }) =>
      JSON.stringify({ salutation, names, legals, personalisedOffers, lockPrefilled, familyNameFirst }),
  ).values(),
].flatMap(([first]) => first ?? []);

/** One whose clocks change in spring and autumn, and one whose clocks don't. */
export const sitesOfBothClocks = [centralEuropeanSite, siteWith(({ timeZone }) => timeZone === "Europe/Istanbul")];

/** Chooses by what a country says of itself, so that another country changes no test. */
export function siteWith(fits: (site: Site) => boolean): Site {
  const found = sites.find(fits);
  if (!found) throw new Error("No site is as the test needs it.");
  return found;
}
