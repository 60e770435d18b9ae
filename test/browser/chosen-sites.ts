import type { Site } from "../../server/sites/countries.ts";
import { sites } from "../support/test-app.ts";

/** A site for behaviour that is the same on every site. */
export const anySite = siteWith(() => true);

/** A site whose newsletter asks only for the address. */
export const plainSite = siteWith(
  ({ newsletter: { salutation, names, legals, lockPrefilled } }) =>
    salutation === "optional" && names === "optional" && !legals && !lockPrefilled,
);

/** A site with Central European time, in which the tests write dates. */
export const centralEuropeanSite = siteWith(({ timeZone }) => timeZone === "Europe/Berlin");

/** A site of each kind of newsletter: what its form requires, asks for and locks. */
export const newsletterKinds = [
  ...Map.groupBy(
    sites,
    ({ newsletter: { salutation, names, legals, personalisedOffers, lockPrefilled, familyNameFirst } }) =>
      JSON.stringify({ salutation, names, legals, personalisedOffers, lockPrefilled, familyNameFirst }),
  ).values(),
].flatMap(([first]) => first ?? []);

/** A site whose clocks change in spring and autumn, and one whose clocks don't. */
export const sitesOfBothClocks = [centralEuropeanSite, siteWith(({ timeZone }) => timeZone === "Europe/Istanbul")];

/** Chooses a site by its country's data, so that a new country changes no test. */
export function siteWith(fits: (site: Site) => boolean): Site {
  const found = sites.find(fits);
  if (!found) throw new Error("No site is as the test needs it.");
  return found;
}
