import { describe, expect, it } from "vitest";
import { linkTexts, oneSpaced, openFooter } from "../support/open-footer.ts";
import { createTestApp } from "../support/test-app.ts";

const { app } = await createTestApp();

/** The links and words that the law of a country asks for, whatever else its footer has. */
describe("the footer", () => {
  it.each([
    ["DE", "Gesetzliche Gewährleistung"],
    ["AT", "Gesetzliche Gewährleistung"],
    ["PL", "Prawna gwarancja zgodności towarów"],
    ["CZ", "Zákonná záruka a práva z vadného plnění"],
    ["HU", "Szavatosság és jótállás"],
    ["SK", "Zákonná zodpovednosť za vady"],
  ])("of %s, in the EU, links to the notice on the legal guarantee", async (site, words) => {
    const $ = await openFooter(app, site);
    expect(oneSpaced($("[data-section=legal] a[href='/service/legal-guarantee']").text())).toBe(words);
  });

  it.each([
    ["AT", "Rücktrittsrecht (Widerrufsrecht)"],
    ["TR", "Cayma hakkı"],
  ])("of %s names the right of withdrawal as its law does", async (site, words) => {
    expect(linkTexts(await openFooter(app, site), "[data-section=legal]")).toContain(words);
  });

  it.each([
    ["CH", "vorgezogener Recyclinggebühr"],
    ["CH_FR", "taxe anticipée de recyclage"],
  ])("of %s says that prices have the advance recycling fee in them", async (site, words) => {
    expect((await openFooter(app, site))("[data-section=sales-tax]").text()).toContain(words);
  });
});

describe("the sign-up", () => {
  it.each([
    ["PL", /informacji handlowych/, /Administratorem/],
    ["CZ", /obchodní sdělení/, /Správcem/],
    ["SK", /priameho marketingu/, /Prevádzkovateľom/],
    ["HU", /önként, megfelelő tájékoztatás alapján.*nevemet, megszólításomat és e-mail-címemet/, /Adataim kezelője/],
    ["TR", /onay vermem hâlinde.*e-posta ile/, /veri sorumlusu/],
  ])("of %s consents and names the controller in the words of its law", async (site, consent, controller) => {
    const $ = await openFooter(app, site);
    expect($(".sf-newsletter-legal").first().text()).toMatch(consent);
    expect($(".sf-expandable-frame").text()).toMatch(controller);
  });

  it("of Turkey links to the notice on data protection, and to the text on personal marketing at its box", async () => {
    const $ = await openFooter(app, "TR");
    const links = $("label")
      .has("[value=DNE]")
      .find("a")
      .map((_index, link) => $(link).attr("href"))
      .get();
    expect(links).toEqual(["/service/data-processing", "/service/newsletter/personal-marketing"]);
  });
});
