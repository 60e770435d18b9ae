import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { footerAt } from "../../../server/sites/footer-versions.ts";
import { documentAround, markupFaults } from "../../support/markup-faults.ts";
import { countries, createTestApp, sites } from "../../support/test-app.ts";

const { app } = await createTestApp();
const states = [
  "",
  "&reduced=true",
  "&platform=MATCH",
  "&platform=TABLET",
  "&newsletter=false",
  "&preview=true",
  "&assets=none",
];
const cases = sites.flatMap(({ site }) => states.map((state): [string, string] => [site, state]));

const fragment = async (site: string, state = "") =>
  (await request(app).get(`/fragments/footer?site=${site}${state}`)).text;
const footer = async (site: string, state = "") => load(await fragment(site, state), null, false);

it("notices a planted fault", () => {
  expect(
    markupFaults('<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><img src="x"></body></html>'),
  ).toHaveLength(1);
});

describe.each(cases)("the footer of %s%s", (site, state) => {
  it("is valid HTML", async () => {
    expect(markupFaults(documentAround(await fragment(site, state)))).toEqual([]);
  });

  it("has texts everywhere and no trace of keys, placeholders or values that aren't there", async () => {
    const $ = await footer(site, state);
    $("a, button, summary, h2, h3, p, li, option").each((_index, element) => {
      const text = $(element).text().trim() || $(element).find("img").attr("alt");
      expect(text, $.html(element)).toBeTruthy();
    });
    $("[aria-label], [data-section]:not([data-section=newsletter]) [alt]").each((_index, element) => {
      expect($(element).attr("aria-label") ?? $(element).attr("alt")).toBeTruthy();
    });
    expect($.text()).not.toMatch(/\{\{|\}\}|undefined|null|NaN|\[object|\b[a-z]+\.[a-z]+[A-Z]\w+/);
  });

  it("has one heading of level two, and only level three below it", async () => {
    const $ = await footer(site, state);
    expect($("h2")).toHaveLength(1);
    expect($("h1, h4, h5, h6")).toHaveLength(0);
    expect($(":header").first().is("h2")).toBe(true);
  });

  it("has no ids but those of its island, which the browser makes unique where a page includes it twice", async () => {
    const $ = await footer(site, state);
    const ids = $("[id]")
      .get()
      .map((element) => $(element).attr("id"));
    for (const id of ids) expect(id).toMatch(new RegExp(`^_footer-newsletter-${site}R_`));
    expect(new Set(ids).size).toBe(ids.length);
    expect($("[id]:not([data-island] *)")).toHaveLength(0);
  });
});

const offers = ["teasers", "seo", "social", "apps"];
const always = ["payment", "legal", "sales-tax", "quality", "view-changer", "country-switcher"];
const sectionsOf = async (site: string, state: string) =>
  (await footer(site, state))("[data-section]")
    .map((_index, element) => element.attribs["data-section"])
    .get();

describe.each(sites.map(({ site }) => site))("the footer of %s", (site) => {
  const country = countries.get(site);
  if (!country) throw new Error(`no country ${site}`);

  it("has every section, in order of concern", async () => {
    expect(await sectionsOf(site, "")).toEqual(["newsletter", ...offers, ...always]);
  });

  it("leaves the offers out when it is reduced, the newsletter when it isn't wanted", async () => {
    expect(await sectionsOf(site, "&reduced=true")).toEqual(always);
    expect(await sectionsOf(site, "&newsletter=false")).toEqual([...offers, ...always]);
  });

  it("names its inputs on its root", async () => {
    const $ = await footer(site, "&platform=TABLET&preview=true&reduced=true");
    expect($.root().children()).toHaveLength(1);
    expect($("footer").attr()).toEqual({
      class: "sf-root sf-fragment sf-footer",
      lang: country.locale,
      "data-fragment": "footer",
      "data-site": site,
      "data-time-zone": country.timeZone,
      "data-platform": "TABLET",
      "data-reduced": "true",
      "data-preview": "true",
    });
  });

  it("shows every link of the country with its text", async () => {
    const $ = await footer(site);
    const { teaser, seo, legalLinks, socialMedia, appReferences } = footerAt(country.footer, Date.now());
    const wanted = [
      ...teaser.groups.flatMap((group) => [group.heading.link.url, ...group.links.map(({ link }) => link.url)]),
      ...seo.columns.flat().map((link) => link.url),
      ...[...socialMedia.socialMediaIcons, ...appReferences.appIcons].map(({ link }) => link.url),
      ...legalLinks.map(({ url }) => url),
    ];
    const shown = new Set(
      $("a")
        .map((_index, link) => $(link).attr("href"))
        .get(),
    );
    expect(wanted.filter((url) => !shown.has(url))).toEqual([]);
  });

  it("opens external links, and only them, in a new tab without a referrer, and says so", async () => {
    const $ = await footer(site);
    const links = $("a").filter((_index, link) => !$(link).is("[data-code]"));
    expect(links.filter('[href^="http"]').length).toBeGreaterThan(0);
    links.each((_index, link) => {
      const external = /^(http|mailto)/.test($(link).attr("href") ?? "");
      expect($(link).attr("target")).toBe(external ? "_blank" : undefined);
      expect($(link).attr("rel")).toBe(external ? "noopener noreferrer" : undefined);
      expect($(link).find(".sf-visually-hidden").length).toBe(external ? 1 : 0);
    });
  });

  it("has one legal link for the consent dialog", async () => {
    const $ = await footer(site);
    expect($("[data-consent]")).toHaveLength(1);
    expect($('[data-section="legal"] a[data-consent]')).toHaveLength(1);
  });

  it("offers every country's site in that site's own words, in the same tab", async () => {
    const $ = await footer(site);
    const items = $('[data-section="country-switcher"] a');
    expect(items).toHaveLength(sites.length);
    for (const other of sites) {
      const item = items.filter(`[data-code="${other.switcher.code}"]`);
      expect(item.attr()).toMatchObject({ href: `${other.origin}/`, hreflang: other.locale, lang: other.locale });
      expect(item.attr("target")).toBeUndefined();
      expect(item.attr("aria-current")).toBe(other.site === site ? "true" : undefined);
    }
  });

  it("changes the view by a plain form with the country's labels", async () => {
    const $ = await footer(site);
    const form = $('form[data-section="view-changer"]');
    expect(form.attr()).toMatchObject({ method: "post", action: "/view" });
    expect(
      form
        .find("button")
        .map((_index, button) => $(button).attr("value"))
        .get(),
    ).toEqual(["desktop", "mobile"]);
  });

  it("shows logos that exist, late, with name and size", async () => {
    const $ = await footer(site);
    const images = $("[data-section=payment] img, [data-section=quality] img").get();
    expect(images.length).toBeGreaterThan(4);
    for (const image of images) {
      expect($(image).attr()).toMatchObject({ loading: "lazy", alt: expect.stringMatching(/\S/) });
      await request(app)
        .get(String($(image).attr("src")))
        .expect(200)
        .expect("Content-Type", "image/svg+xml");
    }
    $('[data-section="quality"] img').each((_index, image) => {
      expect(["80", "90"]).toContain($(image).attr("width"));
    });
  });

  it("keeps groups out of the checkout that the country wants hidden there", async () => {
    const $ = await footer(site);
    const hidden = country.footer.teaser.groups.filter((group) => group.hideGroupInCheckout).length;
    expect($("[data-hide-in-checkout]")).toHaveLength(hidden);
  });

  it("serves a demo page that is valid HTML in the site's language", async () => {
    const response = await request(app).get("/").set("Host", country.localHost).expect(200);
    expect(markupFaults(response.text)).toEqual([]);
    const $ = load(response.text);
    expect($("html").attr("lang")).toBe(country.locale);
    expect($("h1")).toHaveLength(1);
    expect($("footer[data-fragment]").attr("data-site")).toBe(site);
    expect($.text()).not.toMatch(/\{\{|undefined|NaN|\[object/);
  });
});
