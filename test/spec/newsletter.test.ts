import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { maxEmailLength } from "../../client/rules/email.ts";
import { maxNameLength } from "../../client/rules/subscription.ts";
import { oneSpaced } from "../support/open-footer.ts";
import { createTestApp, siteOf } from "../support/test-app.ts";
import { type NineSite, nine } from "./nine.ts";

const { app } = await createTestApp();
const settingsOf = (site: NineSite) => siteOf(site).newsletter;
const legalTextOf = async (site: NineSite) => {
  const { text } = await request(app).get(`/fragments/newsletter?site=${site}`).expect(200);
  return oneSpaced(load(text)(".sf-newsletter-legal").text());
};

it("every country links to its pages, Poland to its terms, and Turkey to its pages of consents", () => {
  const own: Partial<Record<NineSite, string[]>> = {
    PL: ["terms"],
    TR: ["newsletterInfo", "commercialMessageConsent", "personalMarketingConsent"],
  };
  for (const site of nine) {
    const expected = ["contact", "exampleNewsletter", "privacy", "voucherConditions", ...(own[site] ?? [])];
    expect(Object.keys(settingsOf(site).links).toSorted(), site).toEqual(expected.toSorted());
  }
});

it("Hungary requires the salutation, with the family name first, Hungary and Turkey the names, and Turkey its consent", () => {
  for (const site of nine) {
    const expected = {
      salutation: site === "HU" ? "required" : "optional",
      names: site === "HU" || site === "TR" ? "required" : "optional",
      legals: site === "TR",
      personalisedOffers: site === "TR" ? "inline" : "expandable",
      lockPrefilled: ["AT", "HU", "TR"].includes(site),
      ...(site === "HU" && { familyNameFirst: true }),
    };
    expect(settingsOf(site), site).toMatchObject(expected);
  }
});

it("an address has 256 characters at most, and a name 40", () => {
  expect([maxEmailLength, maxNameLength]).toEqual([256, 40]);
});

describe("what the countries promise", () => {
  it("is a discount of 10 per cent, in Hungary for a month and once", () => {
    for (const site of nine) {
      const { voucher } = settingsOf(site);
      expect(voucher, site).toEqual({ discount: 10, ...(site === "HU" && { validMonths: 1, singleUse: true }) });
    }
  });

  it("is an age of 16, or 18 in the Czech Republic and Slovakia", async () => {
    for (const site of nine) {
      const { minimumAge } = settingsOf(site);
      expect(minimumAge, site).toBe(site === "CZ" || site === "SK" ? 18 : 16);
      expect(await legalTextOf(site), site).toMatch(new RegExp(`\\b${minimumAge}\\b`));
    }
  });

  it("is in Turkey an end after 14 days without a confirmation, or two years without an opening", async () => {
    expect(settingsOf("TR")).toMatchObject({ deleteUnconfirmedAfterDays: 14, stopUnopenedAfterYears: 2 });
    for (const site of nine) {
      const text = await legalTextOf(site);
      expect([/\b14\b/.test(text), /\b2 yıl\b/.test(text)], site).toEqual([site === "TR", site === "TR"]);
      expect(/\b1 hónap\b.*egyszer/.test(text), site).toBe(site === "HU");
      if (site !== "TR") expect(settingsOf(site).stopUnopenedAfterYears, site).toBeUndefined();
    }
  });
});
