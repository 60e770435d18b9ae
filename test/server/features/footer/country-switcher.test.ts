import { gzipSync } from "node:zlib";
import { load } from "cheerio";
import request from "supertest";
import { expect, it } from "vitest";
import { countryName } from "../../../../server/sites/site.ts";
import { openFooter } from "../../../support/open-footer.ts";
import { countries, createTestApp, siteOf, sites, type TestApp } from "../../../support/test-app.ts";

/** The service of a shop with a number of countries, most of them copies of the built-in ones under other codes. */
async function createShop(count: number) {
  const copies = Array.from({ length: count - sites.length }, (_, index) => {
    const { switcher, ...site } = siteOf(sites[index % sites.length]?.site ?? "");
    const code = `x${index}`;
    return { ...site, site: `X${index}`, origin: `https://${code}.shop.example`, switcher: { ...switcher, code } };
  });
  const many = { ...countries, sites: [...sites, ...copies] };
  return { ...(await createTestApp({ countries: many })), sites: many.sites };
}

async function openSwitcher({ app }: TestApp, site: string) {
  return (await openFooter(app, site))("[data-section=country-switcher]");
}

it("lists up to 20 countries, and leads to their page where there are more, by the same name", async () => {
  const [some, more] = await Promise.all([createShop(20), createShop(21)]);
  for (const { site } of sites) {
    const [list, link] = [await openSwitcher(some, site), await openSwitcher(more, site)];
    expect([list.find("li a").length, link.find("a").length], site).toEqual([20, 1]);
    expect(link.find("a").attr("href")).toBe("/countries");
    expect(link.attr("aria-label")).toBe(list.attr("aria-label"));
    for (const choice of [link.find("a"), list.find("summary")]) {
      expect(choice.text()).toBe(countryName(siteOf(site)));
      expect(choice.attr("aria-label")).toBe(`${list.attr("aria-label")}: ${countryName(siteOf(site))}`);
    }
  }
});

it("lists all countries on a page of each site in its language, each by its own name", async () => {
  const shop = await createShop(21);
  const names = shop.sites.map(countryName).sort((a, b) => a.localeCompare(b, "en"));
  for (const { site, locale, localHost, switcher } of sites) {
    const { text } = await request(shop.app).get("/countries").set("Host", localHost).expect(200);
    const $ = load(text);
    const links = $("main li a");
    expect(links.map((_, link) => $(link).text()).get(), site).toEqual(names);
    expect(new Set(links.map((_, link) => link.attribs.href).get())).toEqual(
      new Set(shop.sites.map(({ origin }) => `${origin}/`)),
    );
    expect($("main [aria-current=true]").attr("data-code")).toBe(switcher.code);
    expect([$("html").attr("lang"), $("main h1").text()]).toEqual([
      locale,
      (await openSwitcher(shop, site)).attr("aria-label"),
    ]);
  }
});

it("makes no footer larger, however many countries there are", async () => {
  const [built, many] = await Promise.all([createShop(sites.length), createShop(200)]);
  const sizesOf = async ({ app }: typeof built) => {
    const { text } = await request(app).get("/fragments/footer/DE").expect(200);
    return [text.length, gzipSync(text).length];
  };
  const [[raw = 0, compressed = 0], [manyRaw, manyCompressed]] = [await sizesOf(built), await sizesOf(many)];
  expect(manyRaw).toBeLessThanOrEqual(1.15 * raw);
  expect(manyCompressed).toBeLessThanOrEqual(1.15 * compressed);
});
