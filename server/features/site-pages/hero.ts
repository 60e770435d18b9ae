import type { Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import type { AppContext } from "../feature.ts";

type Season = "winter" | "spring" | "summer" | "autumn";

/** What the demo praises in every season. */
const coffee = "/category/coffee";

/**
 * Describes the top of the home page: the demo's coffee of the season. Sites that don't link to it, or whose locale has
 * no texts of the season, have `hero.…` of their texts all year. So has a shop that wrote these itself, unless it also
 * wrote those of the seasons.
 */
export function buildHero(site: Site, { assets, texts }: Pick<AppContext, "assets" | "texts">, at: Moment) {
  const { locale, navigation = [] } = site;
  const season = seasonAt(at, site.timeZone);
  const isOwn = texts.isOwn(locale, "page", "hero.heading") && !texts.isOwn(locale, "seasons", `${season}.heading`);
  const isCoffee = navigation.some(({ url }) => url === coffee);
  if (isOwn || !isCoffee || !texts.find(locale, "seasons", `${season}.heading`)) {
    const text = texts.translator(locale, "page", site.facts);
    return {
      heading: text("hero.heading"),
      text: text("hero.text"),
      link: { url: navigation[0]?.url ?? "/", text: text("hero.link") },
      image: assets.url("hero.svg"),
    };
  }
  const text = texts.translator(locale, "seasons");
  return {
    heading: text(`${season}.heading`),
    text: text(`${season}.text`),
    link: { url: coffee, text: text(`${season}.link`) },
    image: assets.url(`hero-${season}.svg`),
  };
}

/** Returns the season of a moment, by the months of the northern hemisphere, where the demo's countries are. */
function seasonAt(at: Moment, timeZone: string): Season {
  const { month } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  if (month < 3 || month > 11) return "winter";
  if (month < 6) return "spring";
  return month < 9 ? "summer" : "autumn";
}
