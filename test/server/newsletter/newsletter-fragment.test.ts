import { type CheerioAPI, load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { honeypotName } from "../../../client/rules/subscription.ts";
import { documentAround, markupFaults } from "../../support/markup-faults.ts";
import { createTestApp, sites } from "../../support/test-app.ts";

const { app } = await createTestApp();
const bytesOf = async (query: string) => (await request(app).get(`/fragments/newsletter?${query}`).expect(200)).text;
const open = async (query: string) => load(await bytesOf(query), null, false);
const namesOf = ($: CheerioAPI, selector: string) =>
  $(selector)
    .get()
    .map((control) => $(control).attr("name"));
const spaces = (text: string) => text.replace(/\s+/g, " ").trim();

describe.each(sites)("the newsletter fragment of $site", ({ site, locale, newsletter }) => {
  const { links, minimumAge } = newsletter;

  it("is valid HTML in the site's language, with texts everywhere", async () => {
    const bytes = await bytesOf(`site=${site}`);
    expect(markupFaults(documentAround(bytes))).toEqual([]);
    const $ = load(bytes, null, false);
    expect($(":root > section, body > section, section").first().attr()).toMatchObject({
      "data-fragment": "newsletter",
      "data-site": site,
      lang: locale,
    });
    $("label, legend, summary, button, h2, p, a").each((_index, element) => {
      expect($(element).text(), $.html(element)).toMatch(/\S/);
    });
    expect($.text()).not.toMatch(/\{\{|\}\}|undefined|null|NaN|\[object|\]\(|\b[a-z]+\.[a-z]+[A-Z]\w+/);
  });

  it("is a form that works without script", async () => {
    const $ = await open(`site=${site}&origin=SHOPPING_CART&originAddition=layer-1`);
    expect($("form").attr()).toMatchObject({ action: "/newsletter", method: "post" });
    expect($("form").attr("novalidate")).toBeUndefined();
    const hidden = $("input[type=hidden]")
      .get()
      .map((input) => [$(input).attr("name"), $(input).attr("value")]);
    expect(hidden).toEqual([
      ["site", site],
      ["origin", "SHOPPING_CART"],
      ["originAddition", "layer-1"],
    ]);
    expect($("button[type=submit]")).toHaveLength(1);
    expect($("input[name=email]").attr()).toMatchObject({ type: "email", autocomplete: "email" });
  });

  it("has the fields that the country's rules want, in their order", async () => {
    const $ = await open(`site=${site}`);
    const legals = site === "TR" ? ["consents"] : [];
    expect(namesOf($, "form :input:not([type=hidden], button)")).toEqual([
      "email",
      "salutation",
      "firstName",
      "lastName",
      ...legals,
      "consents",
      honeypotName,
    ]);
    const required = ["email", ...(site === "HU" ? ["salutation"] : [])];
    const names = ["HU", "TR"].includes(site) ? ["firstName", "lastName"] : [];
    expect(namesOf($, "[required]")).toEqual([...required, ...names, ...legals]);
    expect($("[checked]")).toHaveLength(0);
    expect($("details [name=consents][value=DNE]")).toHaveLength(site === "TR" ? 0 : 1);
    expect(
      $("select[name=salutation] option")
        .get()
        .map((option) => $(option).attr("value")),
    ).toEqual(["", "MRS", "MR", "DIVERS", "COMPANY"]);
  });

  it("hides its honeypot from people and from what fills in forms", async () => {
    const $ = await open(`site=${site}`);
    const trap = $("[aria-hidden=true] input");
    expect(trap).toHaveLength(1);
    expect(trap.attr()).toMatchObject({ name: honeypotName, tabindex: "-1", autocomplete: "off", type: "text" });
    expect(honeypotName).not.toMatch(
      /mail|name|phone|tel|address|city|zip|url|web|company|title|user|pass|birth|card/i,
    );
  });

  it("has its live regions from the start, empty", async () => {
    const $ = await open(`site=${site}`);
    for (const role of ["status", "alert"]) {
      expect($(`[role=${role}]`)).toHaveLength(1);
      expect($(`[role=${role}]`).text()).toBe("");
    }
    expect($("form [role=status]")).toHaveLength(0);
  });

  it("shows the discount on the picture, which only wide windows load", async () => {
    const $ = await open(`site=${site}`);
    expect(spaces($(".sf-banderole").text())).toMatch(/(^|\D)10 ?%|%10(\D|$)/);
    const sources = $("picture source")
      .get()
      .map((source) => $(source).attr());
    expect(sources).toMatchObject([
      {
        media: "(min-width: 1024px)",
        srcset: expect.stringContaining("newsletter-desktop-"),
        width: "400",
        height: "300",
      },
      {
        media: "(min-width: 767px)",
        srcset: expect.stringContaining("newsletter-tablet-"),
        width: "273",
        height: "273",
      },
    ]);
    expect($("picture img").attr()).toMatchObject({ loading: "lazy", alt: "" });
    for (const url of [...sources.map((source) => source?.srcset), $("picture img").attr("src")])
      await request(app).get(String(url)).expect(200).expect("Content-Type", "image/svg+xml");
  });

  it("says what the country must say, with links to its pages", async () => {
    const $ = await open(`site=${site}`);
    const legal = spaces($(".sf-newsletter-legal").text());
    expect(legal).toMatch(new RegExp(`\\b${minimumAge}\\b`));
    expect(/\b14\b/.test(legal)).toBe(site === "TR");
    expect(/\b2 yıl\b/.test(legal)).toBe(site === "TR");
    expect(/\b1 hónap\b.*egyszer/.test(legal)).toBe(site === "HU");
    const urls = $(".sf-newsletter a")
      .get()
      .map((link) => $(link).attr("href"));
    expect(new Set(urls)).toEqual(new Set(Object.values(links)));
  });
});

describe("the newsletter fragment", () => {
  it("has ids that differ between sites, and from the footer's", async () => {
    const footer = (await request(app).get("/fragments/footer?site=DE")).text;
    const $ = load((await bytesOf("site=DE")) + (await bytesOf("site=AT")) + footer);
    const ids = $("[id]")
      .get()
      .map((element) => $(element).attr("id"));
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(["origin=LOGIN", "originAddition=a%20b", `originAddition=${"a".repeat(65)}`, "assets=some"])(
    "is a bad request with %s",
    async (query) => {
      const response = await request(app).get(`/fragments/newsletter?site=DE&${query}`).expect(400);
      expect(response.text).toBe("");
      expect(response.headers["x-fragment-error"]).toContain(query.split("=")[0]);
    },
  );

  it("brings its own stylesheet, or none", async () => {
    const $ = await open("site=DE");
    expect($("link").attr("href")).toMatch(/newsletter-\w+\.css$/);
    expect((await open("site=DE&assets=none"))("link, script")).toHaveLength(0);
  });
});
