import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import germany from "../../../../countries/de.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { choose, header, signIn } from "../../../support/preview-test.ts";
import { createTestApp, sites, texts } from "../../../support/test-app.ts";
import { loadOwnShop, writeShop } from "../../../support/write-shop.ts";

const { app, deps } = await createTestApp({ demo: true, trustProxy: ["loopback"] });

/** The first day of each season. */
const days = [
  ["2026-12-01", "winter"],
  ["2027-03-01", "spring"],
  ["2027-06-01", "summer"],
  ["2027-09-01", "autumn"],
] as const;

/** Reads the top of a site's home page. */
async function heroOf({ localHost }: Pick<Site, "localHost">, jar = {}, from = app) {
  const { text: html } = await request(from)
    .get("/")
    .set({ Host: localHost, Cookie: header(jar) })
    .expect(200);
  const hero = load(html)(".sf-hero");
  const [, picture] = /\/assets\/([\w-]+)-[0-9A-F]{8}\.\w+$/.exec(hero.find("img").attr("src") ?? "") ?? [];
  return {
    heading: hero.find("h1").text(),
    text: hero.find("p").text(),
    link: hero.find("a").text(),
    url: hero.find("a").attr("href"),
    picture,
  };
}

function passTo(time: string) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) });
  onTestFinished(() => void vi.useRealTimers());
}

describe.each(sites)("the home page of $site", (site) => {
  const text = texts.translator(site.locale, "seasons");

  it("has the look of the season that staff preview, and of today for everybody else", async () => {
    passTo("2026-11-28T12:00:00Z");
    const staff = await signIn(app, deps.store.db);
    for (const [day, season] of days) {
      const jar = await choose(app, staff, `${day}T12:00:00Z`);
      expect(await heroOf(site, jar), day).toEqual({
        heading: text(`${season}.heading`),
        text: text(`${season}.text`),
        link: text(`${season}.link`),
        url: "/category/coffee",
        picture: `hero-${season}`,
      });
      expect(await heroOf(site), day).toMatchObject({ heading: text("autumn.heading"), picture: "hero-autumn" });
    }
  });

  it("changes its look at midnight of its time zone", async () => {
    const december = Temporal.PlainDate.from("2026-12-01").toZonedDateTime(site.timeZone);
    passTo(december.subtract({ seconds: 1 }).toInstant().toString());
    expect(await heroOf(site)).toMatchObject({ picture: "hero-autumn" });
    passTo(december.toInstant().toString());
    expect(await heroOf(site)).toMatchObject({ picture: "hero-winter" });
  });
});

describe("a shop", () => {
  const own = { "hero.heading": "Möbel", "hero.text": "Aus Holz", "hero.link": "Alle Möbel" };
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';

  async function heroIn(files: Parameters<typeof writeShop>[0]) {
    const shop = await createTestApp({ ...(await loadOwnShop(await writeShop(files))), demo: true });
    return heroOf(germany, {}, shop.app);
  }

  it("keeps its own texts and picture all year, unless it has some of the season", async () => {
    passTo("2027-07-15T12:00:00Z");
    const files = { "locales/de/page.json": own, "pictures/hero.svg": drawing };
    expect(await heroIn(files)).toMatchObject({
      heading: "Möbel",
      text: "Aus Holz",
      link: "Alle Möbel",
      picture: "hero",
    });
    expect(await heroIn({ "pictures/hero.svg": drawing })).toMatchObject({ picture: "hero" });
    const summer = { "summer.heading": "Gartenmöbel", "summer.text": "Aus Robinie", "summer.link": "In den Garten" };
    expect(await heroIn({ ...files, "locales/de/seasons.json": summer, "pictures/hero-summer.svg": drawing })).toEqual({
      heading: "Gartenmöbel",
      text: "Aus Robinie",
      link: "In den Garten",
      url: "/category/coffee",
      picture: "hero-summer",
    });
  });

  it("praises no coffee where its header doesn't link to it", async () => {
    const navigation = [{ url: "/category/sale", text: "nav.sale" }];
    const page = texts.translator("de-DE", "page");
    expect(await heroIn({ "countries/de.json": { ...germany, navigation } })).toMatchObject({
      heading: page("hero.heading"),
      url: "/category/sale",
      picture: "hero",
    });
  });
});
