import { expect, it, onTestFinished, vi } from "vitest";
import { oneSpaced, openFooter } from "../support/open-footer.ts";
import { createTestApp, siteOf } from "../support/test-app.ts";
import { type NineSite, nine } from "./nine.ts";

const { app } = await createTestApp();

const european: NineSite[] = ["DE", "AT", "PL", "CZ", "HU", "SK"];

const legalLink = (path: string) => `[data-section=legal] a[href='/service/${path}']`;
const prominentLink = (path: string) =>
  `[data-section=legal] ul:first-child a[data-prominent][href='/service/${path}']`;
const consent = ".sf-newsletter-legal:first";
const details = ".sf-expandable-frame";
const offersBox = "label:has([value=DNE])";

/** A legal duty: what shoppers must be able to read in the footer, or in the sign-up inside it. */
interface Duty {
  duty: string;
  /** The law and its article. */
  source: string;
  /** The part of the footer that fulfils the duty: a selector. */
  part: string;
  /** The sites that have the duty. */
  sites?: NineSite[];
  /** If the words matter, the text of that part on each site with the duty; then `sites` is omitted. */
  words?: Partial<Record<NineSite, string | RegExp>>;
}

const duties: Duty[] = [
  {
    duty: "a prominent function to withdraw from a contract",
    source: "Directive 2011/83/EU, Article 11a",
    part: prominentLink("withdraw-contract"),
    words: {
      DE: "Vertrag widerrufen",
      AT: "Vertrag widerrufen (Rücktritt)",
      PL: "Odstąp od umowy",
      CZ: "Odstoupit od smlouvy",
      HU: "Elállás a szerződéstől",
      SK: "Odstúpiť od zmluvy",
    },
  },
  {
    duty: "a prominent function to cancel contracts",
    source: "§ 312k BGB",
    part: prominentLink("cancel-contract"),
    words: { DE: "Verträge hier kündigen" },
  },
  {
    duty: "the right of withdrawal by its name",
    source: "Directive 2011/83/EU, Article 6(1)(h)",
    part: legalLink("right-of-withdrawal"),
    words: {
      DE: "Widerrufsrecht",
      AT: "Rücktrittsrecht (Widerrufsrecht)",
      PL: "Prawo odstąpienia od umowy",
      CZ: "Poučení o odstoupení od smlouvy",
      HU: "Tájékoztató az elállási jogról",
      SK: "Poučenie o odstúpení od zmluvy",
    },
  },
  {
    duty: "the right of withdrawal by its name",
    source: "Law 6502, Article 48",
    part: legalLink("right-of-withdrawal"),
    words: { TR: "Cayma hakkı" },
  },
  {
    duty: "the notice on the legal guarantee",
    source: "Regulation (EU) 2025/1960, Article 1",
    part: legalLink("legal-guarantee"),
    words: {
      DE: "Gesetzliche Gewährleistung",
      AT: "Gesetzliche Gewährleistung",
      PL: "Prawna gwarancja zgodności towarów",
      CZ: "Zákonná záruka a práva z vadného plnění",
      HU: "Szavatosság és jótállás",
      SK: "Zákonná zodpovednosť za vady",
    },
  },
  {
    duty: "the accessibility statement",
    source: "Directive (EU) 2019/882, Article 13(2)",
    part: legalLink("accessibility"),
    sites: european,
  },
  {
    duty: "the imprint",
    source: "Directive 2000/31/EC, Article 5",
    part: legalLink("imprint"),
    sites: european,
  },
  {
    duty: "the imprint",
    source: "UWG (SR 241), Article 3(1)(s)",
    part: legalLink("imprint"),
    sites: ["CH", "CH_FR"],
  },
  {
    duty: "the imprint",
    source: "Law 6563, Article 3",
    part: legalLink("imprint"),
    sites: ["TR"],
  },
  {
    duty: "the company, under the heading İletişim",
    source: "Regulation 32058 on electronic commerce",
    part: "[data-section=teasers] nav[aria-label=İletişim]",
    words: { TR: /Storefront .*Türkiye.*MERSİS No: .*KEP adresi: .*E-posta: .*Telefon: / },
  },
  {
    duty: "the notice on data protection",
    source: "Law 6698, Article 10",
    part: legalLink("data-processing"),
    words: { TR: "KVKK Aydınlatma Metni" },
  },
  {
    duty: "prices with the advance recycling fee",
    source: "PBV (SR 942.211), Article 4(1)",
    part: "[data-section=sales-tax]",
    words: { CH: /vorgezogener Recyclinggebühr/, CH_FR: /taxe anticipée de recyclage/ },
  },
  {
    duty: "a consent to the newsletter",
    source: "Directive 2002/58/EC, Article 13(1)",
    part: consent,
    words: {
      DE: /willige ich ein/,
      AT: /willige ich ein/,
      PL: /informacji handlowych/,
      CZ: /obchodní sdělení/,
      HU: /önként, megfelelő tájékoztatás alapján.*nevemet, megszólításomat és e-mail-címemet/,
      SK: /priameho marketingu/,
    },
  },
  {
    duty: "a consent to the newsletter",
    source: "UWG (SR 241), Article 3(1)(o)",
    part: consent,
    words: { CH: /willige ich ein/, CH_FR: /je consens/ },
  },
  {
    duty: "a consent to commercial messages",
    source: "Law 6563, Article 6",
    part: consent,
    words: { TR: /onay vermem hâlinde.*e-posta ile/ },
  },
  {
    duty: "the register in which a consent can be withdrawn",
    source: "Regulation 29417 on commercial communication, Article 9",
    part: details,
    words: { TR: /İleti Yönetim Sistemi \(İYS\)/ },
  },
  {
    duty: "the controller of a subscriber's data",
    source: "Regulation (EU) 2016/679, Article 13(1)(a)",
    part: details,
    words: {
      DE: /Verantwortlich für die Verarbeitung/,
      AT: /Verantwortlich für die Verarbeitung/,
      PL: /Administratorem/,
      CZ: /Správcem/,
      HU: /Adataim kezelője/,
      SK: /Prevádzkovateľom/,
    },
  },
  {
    duty: "the controller of a subscriber's data",
    source: "Law 6698, Article 10",
    part: details,
    words: { TR: /veri sorumlusu/ },
  },
];

const rows = duties.flatMap(({ sites = [], words = Object.fromEntries(sites.map((site) => [site, /./])), ...duty }) =>
  Object.entries(words).map(([site, said]) => ({ ...duty, site, said })),
);

it.each(rows)("$site shows $duty ($source)", async ({ site, part, said }) => {
  const shown = oneSpaced((await openFooter(app, site))(part).text());
  if (typeof said === "string") expect(shown).toBe(said);
  else expect(shown).toMatch(said);
});

/** Finds the sites whose footers have a part at a moment. */
async function sitesWith(part: string, at: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  onTestFinished(() => void vi.useRealTimers());
  const footers = await Promise.all(nine.map(async (site) => ({ site, $: await openFooter(app, site) })));
  return footers.filter(({ $ }) => $(part).length > 0).map(({ site }) => site);
}

it("the EU sites report on deforestation (Regulation (EU) 2023/1115, Article 12(3)), from 2026-12-30 on", async () => {
  const due = Date.parse("2026-12-30T00:00:00+01:00");
  const report = legalLink("deforestation-free-supply-chains");
  expect(await sitesWith(report, due - 1)).toEqual([]);
  expect((await sitesWith(report, due)).sort()).toEqual(european.toSorted());
});

it("the EU sites show no uncertified green seal (Directive 2005/29/EC, Annex I, 2a)", async () => {
  const seal = "[data-section=quality] img:is([src*='green'], [src*='gutGemacht']):not([title])";
  expect(await sitesWith(seal, Date.now())).toEqual(nine.filter((site) => !european.includes(site)));
});

it("no site links to the platform for online disputes (closed by Regulation (EU) 2024/3228 on 2025-07-20)", async () => {
  for (const site of nine) expect((await openFooter(app, site)).html(), site).not.toMatch(/consumers\/odr/);
});

it("TR asks for the consent to commercial messages by a box (Law 6563, Article 6), and reports it to İYS", async () => {
  const $ = await openFooter(app, "TR");
  expect($("[data-section=newsletter] [value=NEWSLETTER][type=checkbox]")).toHaveLength(1);
  expect(siteOf("TR").newsletter.consentRegister).toBe("IYS");
});

it("TR links to the notice on data protection, and to the text on personal marketing, at the box for it", async () => {
  const $ = await openFooter(app, "TR");
  const links = $(offersBox).find("a");
  expect(links.map((_index, link) => $(link).attr("href")).get()).toEqual([
    "/service/data-processing",
    "/service/newsletter/personal-marketing",
  ]);
});
