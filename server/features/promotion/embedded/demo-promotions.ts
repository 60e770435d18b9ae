import type { Texts } from "../../../platform/texts.ts";
import type { Site } from "../../../sites/countries.ts";
import type { Database } from "../../../store/open-store.ts";
import { footerKey } from "../service.ts";

const everybody = { test: null, testGroup: null };
const groupB = { test: "footer-promotion", testGroup: "B" };

/** The demo's promotions of each site, by the names of their texts. */
const demoPromotions = [
  { name: "coffee", linkUrl: "/category/coffee", period: "always", ...everybody },
  { name: "living", linkUrl: "/category/living-furniture", period: "always", ...groupB },
  { name: "gifts", linkUrl: "/category/gifts", period: "festive", ...everybody },
  { name: "coffeeGifts", linkUrl: "/category/coffee", period: "festive", ...groupB },
] as const;

/** The first year with a festive season. Its promotions have ids without a year, also in earlier stores. */
const firstYear = 2026;

/** Lists the years whose festive season has promotions: those until the next one. */
function festiveYears(): number[] {
  const year = new Date().getUTCFullYear();
  return Array.from({ length: Math.max(year, firstYear) + 2 - firstYear }, (_, index) => firstYear + index);
}

/**
 * Adds the demo's promotions unless they exist, for sites that link to the promoted pages, and whose locale has the
 * texts. Several replicas may do this at once.
 * @param hasTests - whether the store has the demo's A/B test, to whose groups some promotions are limited
 */
export async function seedDemoPromotions(
  db: Database,
  sites: readonly Site[],
  texts: Texts,
  hasTests: boolean,
): Promise<void> {
  const promotions = sites.flatMap(({ site, locale, timeZone, footer, navigation }) => {
    const text = texts.translator(locale, "demo");
    const startOf = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
    const periods = {
      // Starts before 2026 in every time zone.
      always: [{ suffix: "", validFrom: Date.UTC(2025, 11, 31), validTo: null }],
      festive: festiveYears().map((year) => ({
        suffix: year === firstYear ? "" : `-${year}`,
        validFrom: startOf(`${year}-12-01`),
        validTo: startOf(`${year + 1}-01-01`),
      })),
    };
    const links = JSON.stringify([navigation, footer]);
    return demoPromotions
      .filter(({ linkUrl }) => links.includes(`"${linkUrl}"`))
      .filter(({ name, test }) => (hasTests || test === null) && texts.find(locale, "demo", `${name}.headline`))
      .flatMap(({ name, period, ...promotion }) =>
        periods[period].map(({ suffix, ...dates }) => ({
          ...promotion,
          ...dates,
          id: `demo-${site}-${name}${suffix}`,
          key: footerKey,
          site,
          headline: text(`${name}.headline`),
          text: text(`${name}.text`),
          linkText: text(`${name}.link`),
        })),
      );
  });
  if (promotions.length === 0) return;
  await db
    .insertInto("promotion")
    .values(promotions)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
