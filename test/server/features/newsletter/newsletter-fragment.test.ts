import { type CheerioAPI, load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { honeypotName } from "../../../../client/rules/subscription.ts";
import { documentAround, markupFaults } from "../../../support/markup-faults.ts";
import { oneSpaced } from "../../../support/open-footer.ts";
import { createTestApp, sites, texts } from "../../../support/test-app.ts";

const { app } = await createTestApp();
const bytesOf = async (query: string) => (await request(app).get(`/fragments/newsletter?${query}`).expect(200)).text;
const open = async (query: string) => load(await bytesOf(query), null, false);
const namesOf = ($: CheerioAPI, selector: string) =>
  $(selector)
    .get()
    .map((control) => $(control).attr("name"));

describe.each(sites)("the newsletter fragment of $site", ({ site, locale, newsletter }) => {
  const opened = (query = "") => open(`site=${site}${query}`);

  it("is valid HTML in the site's language, with texts everywhere", async () => {
    const bytes = await bytesOf(`site=${site}`);
    expect(markupFaults(documentAround(bytes))).toEqual([]);
    const $ = load(bytes, null, false);
    expect($(":root > section, body > section, section").first().attr()).toMatchObject({
      "data-fragment": "newsletter",
      "data-site": site,
      lang: locale,
    });
    for (const element of $("label, legend, summary, button, h2, p, a").get())
      expect($(element).text(), $.html(element)).toMatch(/\S/);
    expect($.text()).not.toMatch(/\{\{|\}\}|undefined|null|NaN|\[object|\]\(|\b[a-z]+\.[a-z]+[A-Z]\w+/);
  });

  it("is a form that works without script, with live regions from the start", async () => {
    const $ = await opened("&origin=SHOPPING_CART&originAddition=layer-1");
    expect($("form").attr()).toMatchObject({ action: "/newsletter", method: "post" });
    expect($("form").attr("novalidate")).toBeUndefined();
    const hidden = $("input[type=hidden]").get();
    expect(hidden.map(({ attribs }) => [attribs.name, attribs.value])).toEqual([
      ["site", site],
      ["origin", "SHOPPING_CART"],
      ["originAddition", "layer-1"],
    ]);
    expect($("button[type=submit]")).toHaveLength(1);
    expect($("input[name=email]").attr()).toMatchObject({ type: "email", autocomplete: "email" });
    for (const role of ["status", "alert"]) {
      expect($(`[role=${role}]`)).toHaveLength(1);
      expect($(`[role=${role}]`).text()).toBe("");
    }
    expect($("form [role=status]")).toHaveLength(0);
  });

  it("has the fields that the country's rules want, in their order", async () => {
    const $ = await opened();
    const legals = newsletter.legals ? ["consents"] : [];
    const inOrder = newsletter.familyNameFirst ? ["lastName", "firstName"] : ["firstName", "lastName"];
    const fields = ["email", "salutation", ...inOrder, ...legals, "consents", honeypotName];
    expect(namesOf($, "form :input:not([type=hidden], button)")).toEqual(fields);
    expect($("[role=group][aria-label] [name=consents]")).toHaveLength(legals.length * 2);
    const salutation = newsletter.salutation === "required" ? ["salutation"] : [];
    const names = newsletter.names === "required" ? inOrder : [];
    expect(namesOf($, "[required]")).toEqual(["email", ...salutation, ...names, ...legals]);
    expect($("[checked]")).toHaveLength(0);
    const inPanel = newsletter.personalisedOffers === "expandable" ? 1 : 0;
    expect($("details [name=consents][value=DNE]")).toHaveLength(inPanel);
    const salutations = $("select[name=salutation] option").get();
    expect(salutations.map(({ attribs }) => attribs.value)).toEqual(["", "MRS", "MR", "DIVERS", "COMPANY"]);
  });

  it("says in full who sends what, then how to leave and who is responsible, with links to its pages", async () => {
    const $ = await opened();
    const consent = $(".sf-newsletter-legal").first();
    expect(consent.closest(".sf-expandable-frame")).toHaveLength(0);
    expect(oneSpaced(consent.text())).toContain(newsletter.sender);
    const [withdrawal, controller] = $(".sf-expandable-frame p").get();
    expect($(withdrawal).find("a").attr("href")).toBe(newsletter.links.contact);
    expect(oneSpaced($(controller).text())).toContain(newsletter.sender);
    expect($(controller).find("a").attr("href")).toBe(newsletter.links.privacy);
    const urls = $(".sf-newsletter a").get();
    expect(new Set(urls.map(({ attribs }) => attribs.href))).toEqual(new Set(Object.values(newsletter.links)));
    expect(oneSpaced($(".sf-banderole").text())).toMatch(new RegExp(`(^|\\D)${newsletter.voucher?.discount}(\\D|$)`));
  });
});

describe("the newsletter fragment", () => {
  it("hides its honeypot from people and from what fills in forms", async () => {
    const trap = (await open("site=DE"))("[aria-hidden=true] input");
    expect(trap).toHaveLength(1);
    expect(trap.attr()).toMatchObject({ name: honeypotName, tabindex: "-1", autocomplete: "off", type: "text" });
    expect(honeypotName).not.toMatch(
      /mail|name|phone|tel|address|city|zip|url|web|company|title|user|pass|birth|card/i,
    );
  });

  it("has a picture that only wide windows load, and keep until it changes", async () => {
    const folder = "/service/newsletterfrontend/newslettersubscriptionform";
    const $ = await open("site=DE");
    const sources = $("picture source")
      .get()
      .map((source) => $(source).attr());
    expect(sources).toMatchObject([
      {
        media: "(min-width: 1024px)",
        srcset: expect.stringMatching(`^${folder}/400x300.svg\\?v=\\w{8}$`),
      },
      {
        media: "(min-width: 767px)",
        srcset: expect.stringMatching(`^${folder}/273x273.svg\\?v=\\w{8}$`),
      },
    ]);
    expect($("picture img").attr()).toMatchObject({ loading: "lazy", alt: "" });
    for (const url of [...sources.map((source) => source?.srcset), $("picture img").attr("src")])
      await request(app)
        .get(String(url))
        .expect(200)
        .expect("Content-Type", "image/svg+xml")
        .expect("Cache-Control", "public, max-age=31536000, immutable");
  });

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

describe("the shared content of sign-up blocks", () => {
  /** Finds the path of the content that the block in a footer shares. */
  async function addressFor(site: string): Promise<string> {
    const { text } = await request(app).get(`/fragments/footer/${site}`).expect(200);
    return load(text)("[data-island=newsletter]").attr("data-island-shared") ?? "";
  }

  it.each(sites)("of $site is immutable", async ({ site, locale }) => {
    const { body, headers } = await request(app)
      .get(await addressFor(site))
      .expect(200)
      .expect("Content-Type", "application/json; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const thanks = texts.translator(locale, "newsletter")("success.heading");
    expect(body).toMatchObject({ site, texts: { "success.heading": thanks } });
  });

  it("has one path for all blocks of a site", async () => {
    const island = (await open("site=DE&origin=SHOPPING_CART"))("[data-island=newsletter]");
    expect(island.attr("data-island-shared")).toBe(await addressFor("DE"));
    expect(island.data("island-props")).toEqual({ origin: "SHOPPING_CART", originAddition: "", level: 2 });
  });

  it.each([
    ["another release", (address: string) => address.replace(/-\w{8}\.json$/, "-00000000.json")],
    ["an unknown site", (address: string) => address.replace(/newsletter-\w+?-/, "newsletter-XX-")],
  ])("isn't found for %s", async (_whose, change) => {
    const address = change(await addressFor("DE"));
    await request(app).get(address).expect(404);
  });
});
