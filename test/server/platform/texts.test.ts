import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { loadTexts } from "../../../server/platform/texts.ts";
import { footerTextLocale } from "../../../server/sites/site.ts";
import { createTestApp, sites, testLogger } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";
import { writeShop } from "../../support/write-shop.ts";

/** Locales with these footer texts, and what was logged about them. */
async function loadFooterTexts(locales: Record<string, Record<string, string>>) {
  const files = Object.entries(locales).map(([locale, texts]) => [`${locale}/footer.json`, texts]);
  const { logger, lines: logged } = createTestLog();
  const { texts } = await loadTexts(logger, await writeShop(Object.fromEntries(files)));
  return { texts, logged };
}

describe("a text", () => {
  it("comes from the locale, else from its language", async () => {
    const { texts, logged } = await loadFooterTexts({
      de: { headline: "Service", "social.heading": "Folgen Sie uns" },
      "de-AT": { headline: "Servus" },
    });
    const text = texts.translator("de-AT", "footer");
    expect(text("headline")).toBe("Servus");
    expect(text("social.heading")).toBe("Folgen Sie uns");
    expect(texts.translator("de", "footer")("headline")).toBe("Service");
    expect(texts.find("de-AT", "footer", "headline")).toBe("Servus");
    expect(texts.bundle("de-AT", "footer")).toEqual({ headline: "Servus", "social.heading": "Folgen Sie uns" });
    expect(logged).toEqual([]);
  });

  it("never comes from another language", async () => {
    const { texts } = await loadFooterTexts({ de: { headline: "Service" }, en: { headline: "Service" }, "fr-CH": {} });
    expect(texts.translator("fr-CH", "footer")("headline")).toBe("");
    expect(texts.find("fr-CH", "footer", "headline")).toBeUndefined();
  });

  it("that is missing renders as nothing and is logged once per key and locale", async () => {
    const { texts, logged } = await loadFooterTexts({ "fr-CH": {}, "pl-PL": {} });
    const french = texts.translator("fr-CH", "footer");
    for (let i = 0; i < 3; i++) expect(french("headline")).toBe("");
    expect(texts.translator("fr-CH", "footer", { phone: "1" })("headline")).toBe("");
    expect(french("legal.heading")).toBe("");
    expect(texts.translator("pl-PL", "footer")("headline")).toBe("");
    expect(logged.map(({ level, locale, namespace, key, msg }) => ({ level, locale, namespace, key, msg }))).toEqual(
      [
        ["fr-CH", "headline"],
        ["fr-CH", "legal.heading"],
        ["pl-PL", "headline"],
      ].map(([locale, key]) => ({ level: 40, locale, namespace: "footer", key, msg: "text missing" })),
    );
  });

  it("has its placeholders filled, and what fills them isn't taken for text", async () => {
    const { texts } = await loadFooterTexts({ de: { headline: "Ab {{freeShippingFrom}}, {{phone}}" } });
    const fill = (values: object) => texts.translator("de", "footer", values)("headline");
    expect(fill({ freeShippingFrom: "40 €", phone: "+43 1" })).toBe("Ab 40 €, +43 1");
    expect(fill({ freeShippingFrom: "<b>&'", phone: "{{freeShippingFrom}}" })).toBe("Ab <b>&', {{freeShippingFrom}}");
    expect(fill({ freeShippingFrom: "$t(headline)", phone: "$&" })).toBe("Ab $t(headline), $&");
  });

  it("ends with one full stop, whatever its last placeholder ends with", async () => {
    const { texts } = await loadFooterTexts({ de: { headline: "Verantwortlich ist {{phone}}. Mehr …" } });
    const fill = (phone: string) => texts.translator("de", "footer", { phone })("headline");
    expect(fill("Kava d.o.o.")).toBe("Verantwortlich ist Kava d.o.o. Mehr …");
    expect(fill("Kava GmbH")).toBe("Verantwortlich ist Kava GmbH. Mehr …");
  });

  it("has the plural form for the value of its first placeholder", async () => {
    const { texts, logged } = await loadFooterTexts({
      de: {
        "returns.periodMonths_one": "{{returnPeriod}} Monat",
        "returns.periodMonths_other": "{{returnPeriod}} Monate",
      },
      "de-AT": {},
      "pl-PL": {
        "returns.periodMonths_one": "{{returnPeriod}} miesiąc",
        "returns.periodMonths_few": "{{returnPeriod}} miesiące",
        "returns.periodMonths_many": "{{returnPeriod}} miesięcy",
      },
      "tr-TR": { "returns.periodMonths": "{{returnPeriod}} ay" },
    });
    const fill = (locale: string, returnPeriod: number) =>
      texts.translator(locale, "footer", { returnPeriod })("returns.periodMonths");
    expect([1, 2].map((months) => fill("de-AT", months))).toEqual(["1 Monat", "2 Monate"]);
    expect([1, 3, 5, 22].map((months) => fill("pl-PL", months))).toEqual([
      "1 miesiąc",
      "3 miesiące",
      "5 miesięcy",
      "22 miesiące",
    ]);
    expect([1, 2].map((months) => fill("tr-TR", months))).toEqual(["1 ay", "2 ay"]);
    expect(logged).toEqual([]);
  });

  it("ends no line after a word of one letter, in the languages that want it", async () => {
    const headline = "Káva s mlékem, čaj (i s citronem) a {{phone}} z A/B testu o [víkendu](page)";
    const { texts } = await loadFooterTexts({ "cs-CZ": { headline }, "pl-PL": { headline }, "hu-HU": { headline } });
    const fill = (locale: string) => texts.translator(locale, "footer", { phone: "v džbánu" })("headline");
    const held = "Káva s~mlékem, čaj (i~s~citronem) a~v~džbánu z~A/B testu o~[víkendu](page)".replaceAll("~", "\u00a0");
    expect(["cs-CZ", "pl-PL", "hu-HU"].map(fill)).toEqual([held, held, headline.replace("{{phone}}", "v džbánu")]);
  });

  it("keeps dots and colons of its key, and is known or not", async () => {
    const { texts } = await loadFooterTexts({ de: { "link.opensInNewTab": "neuer Tab" }, "de-CH": {} });
    expect(texts.translator("de", "footer")("link.opensInNewTab")).toBe("neuer Tab");
    expect(texts.find("de-CH", "footer", "link.opensInNewTab")).toBe("neuer Tab");
    expect(texts.find("de", "footer", "link")).toBeUndefined();
    expect(texts.find("de", "page", "link.opensInNewTab")).toBeUndefined();
    expect(texts.find("xx-XX", "footer", "link.opensInNewTab")).toBeUndefined();
  });
});

describe("texts of several locales", () => {
  it("aren't mixed by requests that come together", async () => {
    const { app, deps } = await createTestApp({ renderCache: false });
    const rounds = Array.from({ length: 4 }, () => sites).flat();
    const answers = await Promise.all(rounds.map(({ site }) => request(app).get(`/fragments/footer?site=${site}`)));
    answers.forEach(({ text }, i) => {
      const site = rounds[i];
      const $ = load(text, null, false);
      expect($("footer").attr("lang")).toBe(site?.locale);
      const own = deps.texts.translator(site ? footerTextLocale(site) : "", "footer", site?.facts);
      expect($("[data-section=country-switcher]").attr("aria-label")).toBe(own("switcher.heading"));
      const newsletter = deps.texts.translator(site?.locale ?? "", "newsletter");
      expect($("[data-section=newsletter]").text()).toContain(newsletter("email.label"));
    });
  });
});

describe("a file of texts", () => {
  it("that isn't valid JSON stops the start, which names every such file", async () => {
    const files = { "de/footer.json": "{bad", "sl-SI/mail.json": "", "sl-SI/page.json": "{}" };
    const { findFaults } = await loadTexts(testLogger, await writeShop(files));
    expect(findFaults({})).toEqual([
      "locales/de/footer.json isn't valid JSON",
      "locales/sl-SI/mail.json isn't valid JSON",
    ]);
  });
});
