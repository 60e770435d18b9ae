import { readdirSync } from "node:fs";
import { join } from "node:path";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { Country } from "../../schemas/types.ts";
import { createValidator } from "../../server/platform/validate.ts";
import { footerAt, type ValidFooter } from "../../server/sites/footer-versions.ts";
import { linksOf } from "../support/links-of.ts";
import { openFooter } from "../support/open-footer.ts";
import { createTestApp, sites } from "../support/test-app.ts";

const { app, deps } = await createTestApp();
const files = readdirSync("countries").sort();

const urlsOf = (footer: ValidFooter) => [
  ...linksOf(footer).map(({ url }) => url),
  ...footer.qualityLogos.logos.flatMap(({ link }) => link ?? []),
];
const logosOf = ({ teaser, qualityLogos }: ValidFooter | Country["footer"]) => [
  ...teaser.groups.flatMap(({ images }) => images.map(({ source }) => source)),
  ...qualityLogos.logos.map(({ image }) => image.source),
];

it("there is a country in each file, named after its site, as the schema wants it", async () => {
  const names = sites.map(({ site }) => `${site.toLowerCase().replace("_", "-")}.ts`);
  expect(names.sort()).toEqual(files);
  const validate = createValidator<Country>("country");
  for (const file of files) {
    const { default: country }: { default: unknown } = await import(join(process.cwd(), "countries", file));
    expect(validate(country), file).toEqual({ valid: true, data: country });
  }
});

describe.each(sites)("the country $site", ({ site, footer, footerStarts, newsletter }) => {
  it("has each teaser group once, whose overview link leads where its heading does", () => {
    const { groups } = footer.teaser;
    expect(new Set(groups.map(({ heading }) => heading.iconName)).size).toBe(groups.length);
    for (const { heading, links } of groups) {
      const overviews = links.filter(({ hideInClassic }) => hideInClassic).map(({ link }) => link.url);
      expect(overviews, heading.iconName).toEqual([heading.link.url]);
    }
  });

  it("links to each address once per list at any time, and asks FAQ pages for what they know", () => {
    const versions = footerStarts.map((start) => footerAt(footer, start));
    for (const { teaser, seo, legalLinks, socialMedia } of versions) {
      const lists = [
        ...teaser.groups.map(({ links }) => links.map(({ link }) => link.url + link.text)),
        seo.columns.flat().map(({ url }) => url),
        legalLinks.map(({ url }) => url),
        socialMedia.socialMediaIcons.map(({ link }) => link.url),
      ];
      for (const list of lists) expect(new Set(list).size, list.join(" ")).toBe(list.length);
    }
    for (const url of versions.flatMap(urlsOf)) {
      expect(URL.canParse(url, "https://shop.example"), url).toBe(true);
      expect(url).not.toMatch(/^http:/);
      if (!url.startsWith("/faq?")) continue;
      for (const [name, value] of new URL(url, "https://shop.example").searchParams) {
        expect(["question", "category", "title"], url).toContain(name);
        expect(value, url).toMatch(/\S/);
      }
    }
  });

  it("keeps an unconfirmed sign-up for as long as its link works, or longer", () => {
    expect(newsletter.confirmWithinDays).toBeLessThanOrEqual(newsletter.deleteUnconfirmedAfterDays);
  });

  it("has all of its footer shown", async () => {
    const $ = await openFooter(app, site);
    const valid = footerAt(footer, Date.now());
    const images = valid.teaser.groups.flatMap((group) => group.images);
    const counts = {
      "teasers] > nav": valid.teaser.groups.length,
      "seo] a": valid.seo.columns.flat().length,
      "social] a": valid.socialMedia.socialMediaIcons.length,
      "apps] a": valid.appReferences.appIcons.length,
      "legal] a": valid.legalLinks.length,
      "legal] a[data-consent]": 1,
      "quality] img": valid.qualityLogos.logos.length,
      "payment] img": images.length,
    };
    const shown = Object.keys(counts).map((part) => [part, $(`[data-section=${part}`).length]);
    expect(Object.fromEntries(shown)).toEqual(counts);
    expect($("[data-consent]")).toHaveLength(1);
    const hidden = valid.teaser.groups.filter(({ hideGroupInCheckout }) => hideGroupInCheckout);
    expect($("[data-hide-in-checkout]")).toHaveLength(hidden.length);
    const addresses = $("a[href]").map((_index, link) => $(link).attr("href"));
    expect(addresses.get()).toEqual(expect.arrayContaining(urlsOf(valid)));
  });

  it("stands in the switcher of every site, by its own address and in its own words", async () => {
    const $ = await openFooter(app, site);
    const items = $("[data-section=country-switcher] a")
      .map((_index, item) => {
        const { "data-code": code, href, lang, hreflang, target, "aria-current": current } = $(item).attr() ?? {};
        const flag = $(item).find("use").attr("href")?.split("#")[1];
        return { code, href, lang, hreflang, target, current, flag };
      })
      .get();
    const wanted = sites.map(({ site: other, switcher, origin, locale }) => ({
      code: switcher.code,
      href: `${origin}/`,
      lang: locale,
      hreflang: locale,
      target: undefined,
      current: other === site ? "true" : undefined,
      flag: `flag-${switcher.flag}`,
    }));
    expect(items).toHaveLength(wanted.length);
    expect(items).toEqual(expect.arrayContaining(wanted));
  });
});

it("every country's logos and flag can be loaded", async () => {
  const sources = new Set(sites.flatMap(({ footer }) => logosOf(footer)));
  for (const source of sources) {
    expect(deps.logos.url(source), source).toBe(`/service/footer-images/logos/${source}.svg`);
    const { headers } = await request(app).get(`/service/footer-images/logos/${source}.svg`).expect(200);
    expect(headers["content-type"], source).toMatch(/^image\/svg\+xml/);
  }
  const sprite = await request(app).get(deps.assets.path("icons.svg")).expect(200);
  for (const { switcher } of sites) expect(String(sprite.body)).toContain(`id="flag-${switcher.flag}"`);
});
