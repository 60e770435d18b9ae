import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { footerAt } from "../../../server/sites/footer-versions.ts";
import { documentAt } from "../../docs/read-documents.ts";
import { documentAround, markupFaults } from "../../support/markup-faults.ts";
import { openFooter } from "../../support/open-footer.ts";
import { createTestApp, sites } from "../../support/test-app.ts";

const { app } = await createTestApp();
/** Inputs on which the texts of a site don't depend. One site represents all. */
const commonStates = [
  "platform=MATCH",
  "platform=TABLET",
  "newsletter=false",
  "preview=true",
  "assets=none",
  "links=absolute",
].map((state) => `&${state}`);

describe.each(sites)("the footer of $site", (country) => {
  const states = ["", "&reduced=true", ...(country === sites[0] ? commonStates : [])];
  const { site, locale, timeZone } = country;
  const footer = (state = "") => openFooter(app, site, state);

  it.each(states)("is valid HTML with texts everywhere, headings in order and no id twice (%s)", async (state) => {
    const { text: bytes } = await request(app).get(`/fragments/footer?site=${site}${state}`).expect(200);
    expect(markupFaults(documentAround(bytes))).toEqual([]);

    const $ = load(bytes, null, false);
    for (const element of $("a, button, summary, h2, h3, p, li, option").get()) {
      expect($(element).text().trim() || $(element).find("img").attr("alt"), $.html(element)).toBeTruthy();
    }
    for (const element of $("[aria-label], [data-section]:not([data-section=newsletter]) [alt]").get()) {
      expect($(element).attr("aria-label") ?? $(element).attr("alt"), $.html(element)).toBeTruthy();
    }
    // With spaces, as the end of an address and the next word would look like the key of a text.
    const written = $("*").contents().toArray();
    const shown = written.map((node) => (node.type === "text" ? node.data : "")).join(" ");
    expect(shown).not.toMatch(/\{\{|\}\}|undefined|null|NaN|\[object|\b[a-z]+\.[a-z]+[A-Z]\w+/);

    expect($("section:not(:has(:header)):not([aria-label])")).toHaveLength(0);
    expect($("h2")).toHaveLength(1);
    expect($("h1, h4, h5, h6")).toHaveLength(0);
    expect($(":header").first().is("h2")).toBe(true);

    // Only islands have ids, which the browser makes unique if the page includes the footer twice.
    const ids = $("[id]").map((_index, element) => $(element).attr("id"));
    for (const id of ids) expect(id).toMatch(new RegExp(`^_footer-${site}R_`));
    expect(new Set(ids).size).toBe(ids.length);
    expect($("[id]:not([data-island] *)")).toHaveLength(0);
  });

  it("has its sections in order of concern, without the offers when it is reduced", async () => {
    const { teaser, seo, socialMedia, appReferences, qualityLogos, salesTax } = footerAt(country.footer, Date.now());
    const filled = (sections: Record<string, readonly unknown[]>) =>
      Object.keys(sections).filter((name) => sections[name]?.length);
    const offers = filled({
      teasers: teaser.groups,
      seo: seo.columns.flat(),
      social: socialMedia.socialMediaIcons,
      apps: appReferences.appIcons,
    });
    const always = [
      ...filled({ payment: teaser.groups.flatMap(({ images }) => images) }),
      "legal",
      ...filled({ "sales-tax": salesTax ? [salesTax] : [], quality: qualityLogos.logos }),
      "view-changer",
      "country-switcher",
    ];
    const sectionsOf = async (state: string) => {
      const $ = await footer(state);
      return $("[data-section]")
        .map((_index, section) => $(section).attr("data-section"))
        .get();
    };
    expect(await sectionsOf("")).toEqual(["newsletter", ...offers, ...always]);
    const { text: documented } = documentAt("docs/include.md");
    for (const section of [...offers, ...always]) expect(documented).toContain(`, \`${section}\``);
    expect(await sectionsOf("&reduced=true")).toEqual(always);
    expect(await sectionsOf("&newsletter=false")).toEqual([...offers, ...always]);
  });

  it("names its inputs on its root", async () => {
    const $ = await footer("&platform=TABLET&preview=true&reduced=true");
    expect($.root().children()).toHaveLength(1);
    expect($("footer").attr()).toEqual({
      class: "sf-root sf-fragment sf-footer",
      lang: locale,
      "data-fragment": "footer",
      "data-nosnippet": "",
      "data-site": site,
      "data-time-zone": timeZone,
      "data-platform": "TABLET",
      "data-layout": "TABLET",
      "data-reduced": "true",
      "data-preview": "true",
    });
  });

  it("opens external links, and only them, in a new tab without a referrer, and says so", async () => {
    const $ = await footer();
    for (const link of $("a:not([data-code])").get()) {
      const { href = "", target, rel } = $(link).attr() ?? {};
      const isExternal = /^(http|mailto)/.test(href);
      const hints = $(link).find(".sf-visually-hidden").length;
      const expected = isExternal ? ["_blank", "noopener noreferrer", 1] : [undefined, undefined, 0];
      expect([target, rel, hints], href).toEqual(expected);
    }
  });

  it("changes the view by a plain form", async () => {
    const form = (await footer())('form[data-section="view-changer"]');
    expect(form.attr()).toMatchObject({ method: "post", action: "/view" });
    const views = form.find("button").get();
    expect(views.map(({ attribs }) => attribs.value)).toEqual(["desktop", "mobile"]);
  });

  it("shows its logos late, with their names, and seals with their size", async () => {
    const $ = await footer();
    for (const image of $("[data-section=payment] img, [data-section=quality] img").get()) {
      expect($(image).attr()).toMatchObject({ loading: "lazy", alt: expect.stringMatching(/\S/) });
    }
    for (const image of $("[data-section=quality] img").get()) {
      expect(["80", "90"]).toContain($(image).attr("width"));
    }
  });
});
