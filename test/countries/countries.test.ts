import { globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { findEnded, footerAt, type ValidFooter } from "../../server/sites/footer-versions.ts";
import { linksOf } from "../support/links-of.ts";
import { openFooter } from "../support/open-footer.ts";
import { createTestApp, drawings, sites } from "../support/test-app.ts";
import { loadOwnShop } from "../support/write-shop.ts";

const { app } = await createTestApp();

const urlsOf = (footer: ValidFooter) => [
  ...linksOf(footer).map(({ url }) => url),
  ...footer.qualityLogos.logos.flatMap(({ link }) => link ?? []),
];

it("no country has a part that ends, so the demo and the examples have none that has ended", async () => {
  const examples = await Promise.all(
    globSync("examples/*/countries")
      .map(dirname)
      .map((folder) => loadOwnShop(folder)),
  );
  const all = [...sites, ...examples.flatMap(({ countries }) => countries.sites)];
  expect(findEnded(all, Infinity)).toEqual([]);
});

describe.each(sites)("the country $site", ({ site, footer, footerStarts, newsletter }) => {
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
    const urls = urlsOf(valid).map((url) => (url === "tel:" ? expect.stringMatching(/^tel:\d+$/) : url));
    expect(addresses.get()).toEqual(expect.arrayContaining(urls));
  });

  it("stands in the switcher of every site, by its own address and in its own words", async () => {
    const $ = await openFooter(app, site);
    const items = $("[data-section=country-switcher] a")
      .map((_index, item) => {
        const {
          "data-code": code,
          href,
          lang,
          target,
          "aria-current": current,
          "data-icon": flag,
        } = $(item).attr() ?? {};
        return { code, href, lang, target, current, flag };
      })
      .get();
    const wanted = sites.map(({ site: other, switcher, origin, locale }) => ({
      code: switcher.code,
      href: `${origin}/`,
      lang: locale,
      target: undefined,
      current: other === site ? "true" : undefined,
      flag: drawings.flags.get(switcher.flag),
    }));
    expect(items).toHaveLength(wanted.length);
    expect(items).toEqual(expect.arrayContaining(wanted));
  });
});
