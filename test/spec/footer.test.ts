import { describe, expect, it } from "vitest";
import { linksOf } from "../support/links-of.ts";
import { linkTexts, oneSpaced, openFooter } from "../support/open-footer.ts";
import { createTestApp, siteOf } from "../support/test-app.ts";
import { type NineSite, nine } from "./nine.ts";

const { app } = await createTestApp();
const opened = await Promise.all(nine.map(async (site) => [site, await openFooter(app, site)] as const));
const footers = new Map(opened);
const openedOf = (site: NineSite) => footers.get(site) ?? expect.unreachable(`no footer of ${site}`);
const groupsOf = (site: NineSite) => siteOf(site).footer.teaser.groups.map(({ heading }) => heading.iconName);
const teaserTexts = (site: NineSite) => linkTexts(openedOf(site), "[data-section=teasers]");

describe("the teaser groups", () => {
  const all = ["payment", "delivery", "pickup", "returns", "service", "loyalty-card", "more-services", "company"];

  it("are all there in Germany, Austria and both parts of Switzerland", () => {
    for (const site of ["DE", "AT", "CH", "CH_FR"] as const) expect(groupsOf(site), site).toEqual(all);
  });

  it("are fewer in the other countries, where Turkey has stores and a contact besides", () => {
    for (const site of ["PL", "CZ", "HU", "SK", "TR"] as const) {
      const groups = groupsOf(site);
      expect(groups.length, site).toBeLessThan(all.length);
      expect(groups, site).toEqual(expect.arrayContaining(["payment", "delivery", "returns", "service", "company"]));
      const others = groups.filter((group) => !all.includes(group));
      expect(others, site).toEqual(site === "TR" ? ["stores", "contact"] : []);
    }
  });

  it("have one overview link each beside others, and stay away from the checkout in part", () => {
    for (const site of nine) {
      const { groups } = siteOf(site).footer.teaser;
      for (const { heading, links } of groups) {
        const overviews = links.filter(({ hideInClassic }) => hideInClassic).map(({ link }) => link.url);
        expect(overviews, `${site} ${heading.iconName}`).toEqual([heading.link.url]);
        expect(links.length, `${site} ${heading.iconName}`).toBeGreaterThan(1);
      }
      const hidden = groups.map(({ hideGroupInCheckout }) => hideGroupInCheckout);
      expect(new Set(hidden), site).toEqual(new Set([true, false]));
    }
  });
});

it("every part of the footer is filled", () => {
  for (const site of nine) {
    const { seo, socialMedia, appReferences, qualityLogos, teaser, legalLinks } = siteOf(site).footer;
    expect(seo.columns.flat().length, site).toBeGreaterThan(3);
    const networks = socialMedia.socialMediaIcons.map(({ link }) => link.url);
    expect(networks.length, site).toBeGreaterThan(0);
    for (const url of networks) expect(url, site).toMatch(/^https:/);
    const apps = appReferences.appIcons.map(({ iconName }) => iconName);
    expect(apps.toSorted(), site).toEqual(["app-store", "google-play"]);
    expect(qualityLogos.logos.length, site).toBeGreaterThan(0);
    expect(teaser.groups.flatMap(({ images }) => images).length, site).toBeGreaterThan(1);
    expect(legalLinks.length, site).toBeGreaterThan(3);
  }
});

it("links lead to the routes that all countries share, to questions of the FAQ, and in Turkey alone to the account", () => {
  for (const site of nine) {
    const urls = linksOf(siteOf(site).footer).map(({ url }) => url);
    expect(urls, site).toEqual(expect.arrayContaining(["/service/storefinder/", "/contact", "/subscribenewsletter"]));
    const cards = urls.filter((url) => url.startsWith("/register"));
    expect(cards, site).toEqual(["/registerfreeloyaltycard", "/registerfreeprivatecard"]);
    const questions = urls.filter((url) => url.startsWith("/faq?")).map((url) => new URLSearchParams(url.slice(5)));
    expect(questions.length, site).toBeGreaterThan(0);
    for (const question of questions)
      expect([...question.keys()].sort(), site).toEqual(["category", "question", "title"]);
    expect(urls.includes("/account"), site).toBe(site === "TR");
  }
});

/** A shop's promises as its link texts must express them, and as no other of the nine sites expresses them. */
const promises: [promise: string, wording: RegExp, sites: NineSite[]][] = [
  ["return within 30 days", /\b30\b.*(Tage|dni|dní|napos)|(Tage|dní) 30\b/, ["DE", "PL", "CZ", "HU", "SK"]],
  ["return within 14 days", /\b14 Tage\b/, ["AT"]],
  ["return within 3 months", /\b3 (Monate|mois)\b/, ["CH", "CH_FR"]],
  ["return within 90 days", /\b90 gün\b/, ["TR"]],
  ["free shipping from 100 zł", /\b100 zł/, ["PL"]],
  ["free shipping from 999 Kč", /\b999 Kč/, ["CZ"]],
  ["free shipping from 499 Kč with the card", /kart.*\b499 Kč/, ["CZ"]],
  ["free shipping from 40 €", /\b40 €/, ["SK"]],
  ["free shipping from 20 € with the card", /kart.*\b20 €/, ["SK"]],
  ["free shipping from 1000 TL", /\b1000 TL\b/, ["TR"]],
  ["dispatch in 1-2 working days", /\b1-2 iş günü/, ["TR"]],
  ["every 11th coffee free", /\b11\. káva/, ["CZ", "SK"]],
];

describe("figures of the shops", () => {
  it.each(promises)("promise %s where they do, once, and nowhere else", (_promise, wording, sites) => {
    for (const site of nine) {
      const said = teaserTexts(site).filter((text) => wording.test(text));
      expect(said, `${site}: ${said}`).toHaveLength(sites.includes(site) ? 1 : 0);
    }
  });

  it("are named by no other link text of the teasers", () => {
    for (const site of nine) {
      const { phone } = siteOf(site).imprint;
      const isKnown = (text: string) =>
        promises.some(([, wording]) => wording.test(text)) || (phone !== undefined && text.includes(oneSpaced(phone)));
      expect(
        teaserTexts(site).filter((text) => /\d/.test(text) && !isKnown(text)),
        site,
      ).toEqual([]);
    }
  });

  it("offer a discount of 10 per cent for the newsletter everywhere", () => {
    for (const site of nine) {
      expect(oneSpaced(openedOf(site)("[data-section=newsletter]").text()), site).toMatch(/(^|\D)10 ?%|%10(\D|$)/);
    }
  });

  it("give Turkey's phone line with its hours, and a link that calls it", () => {
    const $ = openedOf("TR");
    const { phone = "" } = siteOf("TR").imprint;
    const contact = $("[data-section=teasers] > nav").filter((_index, nav) => $(nav).text().includes(phone));
    expect(contact).toHaveLength(1);
    expect(contact.text()).toContain(`09:00-19:00\u00a0saatleri arasında ${phone} numaralı`);
    expect(contact.find("a[href^='tel:']").attr("href")).toBe(`tel:${phone.replaceAll(/\D/g, "")}`);
  });
});
