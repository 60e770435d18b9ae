import { readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheerioAPI, load } from "cheerio";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import germany from "../../../countries/de.ts";
import type { Country, Footer, Link } from "../../../schemas/types.ts";
import { StartError } from "../../../server/errors.ts";
import { loadTexts } from "../../../server/i18n.ts";
import { loadCountries } from "../../../server/sites/countries.ts";
import { footerAt, type ValidFooter } from "../../../server/sites/footer-versions.ts";
import { createValidator } from "../../../server/validate.ts";
import { countries, createTestApp, sites, testLogger } from "../../support/test-app.ts";

const { app, deps } = await createTestApp();
const { texts, logos } = deps;
const codes = sites.map(({ site }) => site);
const files = readdirSync("countries").sort();
/** Of which a site's own locale must have texts. */
const pageNamespaces = texts.namespaces("de").filter((namespace) => namespace !== "footer" && namespace !== "demo");

const allGroups = ["payment", "delivery", "pickup", "returns", "service", "loyalty-card", "more-services", "company"];
const withAllGroups = ["DE", "AT", "CH", "CH_FR"];

/** The address of every page of a footer with its text key, wherever it stands. */
function linksOf(value: unknown): Link[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "url" in value && "text" in value ? [value as Link] : [];
  return [...own, ...Object.values(value).flatMap(linksOf)];
}

const urlsOf = ({ footer }: { footer: ValidFooter | Footer }) => [
  ...linksOf(footer).map(({ url }) => url),
  ...footer.qualityLogos.logos.flatMap(({ link }) => link ?? []),
];
const logosOf = ({ footer }: Country) => [
  ...footer.teaser.groups.flatMap(({ images }) => images.map(({ source }) => source)),
  ...footer.qualityLogos.logos.map(({ image }) => image.source),
];

const spaces = (text: string) => text.replace(/\s+/g, " ").trim();
const footerOf = async (site: string, of = app) =>
  load((await request(of).get(`/fragments/footer?site=${site}`).expect(200)).text, null, false);
const linkTexts = ($: CheerioAPI, within = "footer") =>
  $(within)
    .find("a")
    .map((_index, link) => spaces($(link).text()))
    .get();

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "countries-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it("describes a country in each file, named after its site", () => {
  expect(codes.map((code) => `${code.toLowerCase().replace("_", "-")}.ts`).sort()).toEqual(files);
  expect(codes.toSorted()).toEqual(["AT", "CH", "CH_FR", "CZ", "DE", "HU", "PL", "SK", "TR"]);
});

describe.each(files)("countries/%s", (file) => {
  it("keeps to the schema", async () => {
    const { default: country }: { default: unknown } = await import(join(process.cwd(), "countries", file));
    expect(createValidator<Country>("country")(country)).toEqual({ valid: true, data: country });
  });
});

describe.each(sites)("the footer data of $site", (country) => {
  const { site, footer } = country;
  const groups = footer.teaser.groups.map(({ heading }) => heading.iconName);

  it("has its teaser groups", () => {
    expect(new Set(groups).size).toBe(groups.length);
    if (withAllGroups.includes(site)) expect(groups).toEqual(allGroups);
    else expect(groups.length).toBeLessThan(allGroups.length);
    expect(groups).toEqual(expect.arrayContaining(["payment", "delivery", "returns", "service", "company"]));
    expect(groups.filter((group) => !allGroups.includes(group))).toEqual(site === "TR" ? ["stores", "contact"] : []);
  });

  it("has one overview link per group, to the page of its heading, that the large layout leaves out", () => {
    for (const { heading, links } of footer.teaser.groups) {
      const overviews = links.filter(({ hideInClassic }) => hideInClassic).map(({ link }) => link.url);
      expect(overviews, heading.iconName).toEqual([heading.link.url]);
      expect(links.length, heading.iconName).toBeGreaterThan(1);
    }
  });

  it("leaves something to show in the checkout, and something to hide", () => {
    const hidden = new Set(footer.teaser.groups.map(({ hideGroupInCheckout }) => hideGroupInCheckout));
    expect(hidden).toEqual(new Set([true, false]));
  });

  it("fills every part", () => {
    expect(footer.seo.columns.flat().length).toBeGreaterThan(3);
    expect(footer.socialMedia.socialMediaIcons.length).toBeGreaterThan(0);
    expect(footer.appReferences.appIcons.map(({ iconName }) => iconName).toSorted()).toEqual([
      "app-store",
      "google-play",
    ]);
    expect(footer.qualityLogos.logos.length).toBeGreaterThan(0);
    expect(footer.teaser.groups.flatMap(({ images }) => images).length).toBeGreaterThan(1);
    expect(footer.legalLinks.length).toBeGreaterThan(3);
  });

  it("has exactly one consent link", () => {
    expect(footer.legalLinks.filter(({ consent }) => consent)).toHaveLength(1);
  });

  it("links to addresses of allowed kinds alone, each once per list at any time", () => {
    const lists = country.footerStarts
      .map((start) => footerAt(footer, start))
      .flatMap(({ teaser, seo, legalLinks, socialMedia }) => [
        ...teaser.groups.map(({ links }) => links.map(({ link }) => link.url + link.text)),
        seo.columns.flat().map(({ url }) => url),
        legalLinks.map(({ url }) => url),
        socialMedia.socialMediaIcons.map(({ link }) => link.url),
      ]);
    for (const list of lists) expect(new Set(list).size, list.join(" ")).toBe(list.length);
    for (const url of urlsOf(country)) {
      expect(url).toMatch(/^(\/(?!\/)|https:\/\/|mailto:|tel:)/);
      expect(URL.canParse(url, "https://shop.example"), url).toBe(true);
    }
  });

  it("uses the routes that all countries share, and the account in Turkey alone", () => {
    const urls = urlsOf(country);
    expect(urls).toEqual(expect.arrayContaining(["/service/storefinder/", "/contact", "/subscribenewsletter"]));
    expect(urls.includes("/account")).toBe(site === "TR");
    const cards = urls.filter((url) => url.startsWith("/register"));
    expect(cards).toEqual(["/registerfreeloyaltycard", "/registerfreeprivatecard"]);
  });

  it("asks FAQ pages for question, category and title alone", () => {
    const faqs = urlsOf(country).filter((url) => url.startsWith("/faq?"));
    expect(faqs.length).toBeGreaterThan(0);
    for (const url of faqs) {
      for (const [name, value] of new URL(url, "https://shop.example").searchParams) {
        expect(["question", "category", "title"]).toContain(name);
        expect(value, url).toMatch(/\S/);
      }
    }
  });

  it("uses logos that exist", async () => {
    for (const source of new Set(logosOf(country))) {
      expect(logos.url(source), source).toBe(`/service/footer-images/logos/${source}.svg`);
      const response = await request(app).get(`/service/footer-images/logos/${source}.svg`).expect(200);
      expect(response.headers["content-type"]).toMatch(/^image\/svg\+xml/);
    }
  });

  it("shows all of it", async () => {
    const $ = await footerOf(site);
    const footer = footerAt(country.footer, Date.now());
    expect($("[data-section=teasers] > nav")).toHaveLength(groups.length);
    expect($("[data-section=seo] a")).toHaveLength(footer.seo.columns.flat().length);
    expect($("[data-section=social] a")).toHaveLength(footer.socialMedia.socialMediaIcons.length);
    expect($("[data-section=apps] a")).toHaveLength(2);
    expect($("[data-section=legal] a")).toHaveLength(footer.legalLinks.length);
    expect($("[data-section=legal] a[data-consent]")).toHaveLength(1);
    expect($("[data-section=quality] img")).toHaveLength(footer.qualityLogos.logos.length);
    expect($("[data-section=payment] img")).toHaveLength(footer.teaser.groups.flatMap(({ images }) => images).length);
    const shown = $("a[href]")
      .map((_index, link) => $(link).attr("href"))
      .get();
    expect(shown).toEqual(expect.arrayContaining(urlsOf({ footer })));
  });
});

describe.each(sites)("the newsletter settings of $site", ({ site, newsletter }) => {
  it("lead to pages of the site", () => {
    const { terms, newsletterInfo, commercialMessageConsent, personalMarketingConsent, ...common } = newsletter.links;
    expect(Object.keys(common).toSorted()).toEqual(["contact", "exampleNewsletter", "privacy", "voucherConditions"]);
    for (const path of Object.values(newsletter.links)) expect(path).toMatch(/^\/(?!\/)\S*$/);
    expect(terms !== undefined).toBe(site === "PL");
    const turkish = [newsletterInfo, commercialMessageConsent, personalMarketingConsent];
    expect(turkish.map((path) => path !== undefined)).toEqual(turkish.map(() => site === "TR"));
  });

  it("ask for what the country's rules want", () => {
    expect(newsletter.salutation).toBe(site === "HU" ? "required" : "optional");
    expect(newsletter.names).toBe(["HU", "TR"].includes(site) ? "required" : "optional");
    expect(newsletter.legals).toBe(site === "TR");
    expect(newsletter.personalisedOffers).toBe(site === "TR" ? "inline" : "expandable");
    expect(newsletter.lockPrefilled).toBe(["AT", "HU", "TR"].includes(site));
  });

  it("promise what the shop keeps", () => {
    expect(newsletter.minimumAge).toBe(["CZ", "SK"].includes(site) ? 18 : 16);
    expect(newsletter.voucher).toEqual({ discount: 10, ...(site === "HU" && { validMonths: 1, singleUse: true }) });
    expect(newsletter.stopUnopenedAfterYears).toBe(site === "TR" ? 2 : undefined);
    if (site === "TR") expect(newsletter.deleteUnconfirmedAfterDays).toBe(14);
    expect(newsletter.confirmWithinDays).toBeLessThanOrEqual(newsletter.deleteUnconfirmedAfterDays);
  });
});

describe("logo files", () => {
  it("are those that the schema knows", async () => {
    const { $defs } = JSON.parse(await readFile("schemas/country.schema.json", "utf8"));
    const drawn = readdirSync("client/footer/logos").map((file) => file.replace(/\.svg$/, ""));
    expect(drawn.toSorted()).toEqual($defs.logoSource.enum.toSorted());
  });
});

/** What a shop promises (spec, section 9), as its link texts must say it, and nobody else's. */
const promises: [promise: string, wording: RegExp, countries: string[]][] = [
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

describe.each(promises)("the link text about %s", (_promise, wording, owners) => {
  it(`is in the footer of ${owners.join(", ")} once, and in no other`, async () => {
    for (const code of codes) {
      const said = linkTexts(await footerOf(code), "[data-section=teasers]").filter((text) => wording.test(text));
      expect(said, `${code}: ${said}`).toHaveLength(owners.includes(code) ? 1 : 0);
    }
  });
});

describe("figures of the shops", () => {
  it("are named by no other link text of the teasers", async () => {
    for (const code of codes) {
      const figures = linkTexts(await footerOf(code), "[data-section=teasers]").filter((text) => /\d/.test(text));
      const phone = countries.get(code)?.facts.phone;
      const others = figures.filter((text) => !promises.some(([, wording]) => wording.test(text)));
      expect(others.map((text) => phone !== undefined && text.includes(phone))).toEqual(others.map(() => true));
    }
  });

  it("offer a discount of 10 per cent for the newsletter everywhere", async () => {
    for (const code of codes) {
      const $ = await footerOf(code);
      expect(spaces($("[data-section=newsletter]").text()), code).toMatch(/(^|\D)10 ?%|%10(\D|$)/);
    }
  });

  it("give Turkey's phone line with its hours, and a link that calls it", async () => {
    const $ = await footerOf("TR");
    const { phone = "" } = countries.get("TR")?.facts ?? {};
    const contact = $("[data-section=teasers] > nav").filter((_index, nav) => $(nav).text().includes(phone));
    expect(contact).toHaveLength(1);
    expect(contact.text()).toContain("09:00-19:00");
    expect(contact.find("a[href^='tel:']").attr("href")).toBe(`tel:+9${phone.replaceAll(" ", "")}`);
  });
});

describe("the country switcher", () => {
  it("has every country in every footer, the current one marked", async () => {
    for (const current of sites) {
      const $ = await footerOf(current.site);
      const items = $("[data-section=country-switcher] a")
        .map((_index, item) => ({
          code: $(item).attr("data-code"),
          href: $(item).attr("href"),
          lang: $(item).attr("lang"),
          flag: $(item).find("use").attr("href")?.split("#")[1],
          current: $(item).attr("aria-current"),
        }))
        .get();
      const wanted = sites.map((site) => ({
        code: site.switcher.code,
        href: `${site.origin}/`,
        lang: site.locale,
        flag: `flag-${site.switcher.flag}`,
        ...(site === current && { current: "true" }),
      }));
      expect(items).toHaveLength(wanted.length);
      expect(items).toEqual(expect.arrayContaining(wanted));
    }
  });

  it("has the codes and flags of the countries", () => {
    expect(Object.fromEntries(sites.map(({ site, switcher }) => [site, switcher]))).toEqual({
      AT: { code: "at", flag: "austria" },
      CH: { code: "ch", flag: "switzerland" },
      CH_FR: { code: "ch_fr", flag: "switzerland" },
      CZ: { code: "cz", flag: "czech-republic" },
      DE: { code: "de", flag: "germany" },
      HU: { code: "hu", flag: "hungary" },
      PL: { code: "pl", flag: "poland" },
      SK: { code: "sk", flag: "slovakia" },
      TR: { code: "tr", flag: "turkey" },
    });
  });

  it("draws a flag for each", async () => {
    const sprite = await request(app).get(deps.assets.path("icons.svg")).expect(200);
    for (const { switcher } of sites) expect(String(sprite.body)).toContain(`id="flag-${switcher.flag}"`);
  });
});

describe("a host", () => {
  it("leads to its site: the local one, the country's own, however it is written", () => {
    for (const site of sites) {
      const local = `${site.site.toLowerCase().replace("_", "-")}.localhost`;
      expect(site.localHost).toBe(local);
      for (const host of [local, ...(site.hosts ?? [])]) {
        expect(countries.forHost(host)).toBe(site);
        expect(countries.forHost(host.toUpperCase())).toBe(site);
      }
    }
  });

  it("of nobody leads to no site", () => {
    for (const host of ["", "localhost", "127.0.0.1", "xx.localhost", "de.localhost.example", "__proto__"])
      expect(countries.forHost(host)).toBeUndefined();
  });

  it("of this machine keeps leading to its site when the public origins are others", async () => {
    const origins = new Map(codes.map((code) => [code, `https://${code.toLowerCase().replace("_", "-")}.example`]));
    const registry = await loadCountries({ folder: "countries", texts, origins });
    for (const { site, localHost, origin } of registry.sites) {
      expect(origin).toBe(origins.get(site));
      expect(registry.forHost(localHost)?.site).toBe(site);
      expect(registry.forHost(new URL(origin).hostname)?.site).toBe(site);
    }
  });

  it("is the country's own without demo, at an origin of its own", async () => {
    const registry = await loadCountries({ folder: "countries", texts });
    for (const { origin } of registry.sites) expect(origin).toMatch(/^https:\/\/[\w.-]+$/);
    expect(new Set(registry.sites.map(({ origin }) => origin)).size).toBe(sites.length);
  });
});

/** A country that is right in everything but `changes`. */
function country(site: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const name = site.toLowerCase().replace("_", "-");
  return {
    ...structuredClone<Country>(germany),
    site,
    origin: `https://${name}.shop.example`,
    localHost: `${name}.localhost`,
    switcher: { code: site.toLowerCase(), flag: "europe" },
    ...changes,
  };
}

/** The footer of a right country with some of its parts replaced. */
const footer = (changes: Record<string, unknown>) => ({
  footer: { ...structuredClone<Country>(germany).footer, ...changes },
});

/** The faults that loading these files ends with. */
async function faultsOf(contents: Record<string, string | Record<string, unknown>>): Promise<string[]> {
  const folder = await temporaryFolder();
  for (const [file, content] of Object.entries(contents)) {
    const source = typeof content === "string" ? content : `export default ${JSON.stringify(content)};\n`;
    await writeFile(join(folder, file), source);
  }
  const error: unknown = await loadCountries({ folder, texts }).then(
    () => undefined,
    (reason) => reason,
  );
  if (error === undefined) return [];
  if (!(error instanceof StartError)) throw error;
  return error.faults;
}

const unknownLogo = {
  teaser: {
    groups: germany.footer.teaser.groups.map((group, index) =>
      index === 1 ? { ...group, images: [{ label: "UPS", source: "ups" }] } : group,
    ),
  },
};
const twoConsentLinks = {
  legalLinks: germany.footer.legalLinks.map((link) =>
    link.text === "legal.terms" ? { ...link, consent: true } : link,
  ),
};

describe("a country file", () => {
  it("is right as these tests write it", async () => {
    expect(await faultsOf({ "aa.js": country("AA"), "bb-cc.js": country("BB_CC") })).toEqual([]);
  });

  it("is named with its fault, when several are broken all of them at once", async () => {
    const faults = await faultsOf({
      "aa.js": "export default {\n",
      "ab.js": "export const country = {};\n",
      "ac.js": "export default 1;\n",
      "ad.js": "throw new Error('planted failure');\n",
      "ae.js": country("AE", { site: "Aetheria" }),
      "af.js": country("AF", footer(unknownLogo)),
      "ag.js": country("AG", footer({ headline: "no.such.text" })),
      "ah.js": country("AH", footer(twoConsentLinks)),
      "ai.js": country("AI", { currency: "EUR" }),
      "aj.js": country("AJ", { localHost: "shared.localhost" }),
      "ak.js": country("AK", { localHost: "shared.localhost" }),
      "misnamed.js": country("AL"),
      "am.js": country("AM", { locale: "xx-XX" }),
      "an.js": country(
        "AN",
        footer({ seo: { heading: "seo.heading", columns: [[{ url: "javascript:alert(1)", text: "seo.heading" }]] } }),
      ),
      "ao.js": country("AO", { switcher: { code: "ao", flag: "atlantis" } }),
      "ap.js": country("AP", { facts: {} }),
      "az.js": country("AZ"),
    });
    expect(faults).toEqual(
      expect.arrayContaining(
        [
          /^countries\/aa\.ts can't be loaded: ./,
          /^countries\/ab\.ts has no country as its default export$/,
          /^countries\/ac\.ts has no country as its default export$/,
          /^countries\/ad\.ts can't be loaded: planted failure$/,
          /^countries\/ae\.ts \/site must match pattern/,
          /^countries\/af\.ts \/footer\/teaser\/groups\/1\/images\/0\/source must be one of .*\bdhl\b/,
          /^countries\/ag\.ts \/footer\/headline no text "no\.such\.text" in locale de$/,
          /^countries\/ah\.ts \/footer\/legalLinks must contain exactly one entry with consent$/,
          /^countries\/ai\.ts \/currency is not known$/,
          /^countries\/ak\.ts \/hosts shared\.localhost belongs to AJ and AK$/,
          /^countries\/misnamed\.ts \/site is AL, so the file must be named al$/,
          ...pageNamespaces.map(
            (namespace) => new RegExp(`^countries/am\\.ts /locale no ${namespace} texts in locale xx-XX$`),
          ),
          /^countries\/an\.ts \/footer\/seo\/columns\/0\/0\/url must match pattern/,
          /^countries\/ao\.ts \/switcher\/flag must be one of .*\bslovenia\b/,
          /^countries\/ap\.ts \/facts\/returnPeriod is missing$/,
        ].map((fault) => expect.stringMatching(fault)),
      ),
    );
    expect(faults.filter((fault) => /\baz\b/i.test(fault))).toEqual([]);
  });

  it("that exports no country is named without a gap in the line", async () => {
    expect(await faultsOf({ "aa.js": "export const country = {};\n" })).toEqual([
      expect.stringMatching(/^countries\/aa\.ts \S.*$/),
    ]);
  });

  it("is named in a single line, even when its own error has several", async () => {
    expect(await faultsOf({ "aa.js": "throw new Error('planted\\nfailure');\n" })).toEqual([
      expect.stringMatching(/^countries\/aa\.ts can't be loaded: planted.*$/),
    ]);
  });

  it("has all its faults named at once, whatever their kinds", async () => {
    const faults = await faultsOf({
      "misnamed.js": country("AA", { currency: "EUR", ...footer({ headline: "no.such.text" }) }),
    });
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^countries\/misnamed\.ts \/currency /),
        expect.stringMatching(/^countries\/misnamed\.ts \/footer\/headline /),
        expect.stringMatching(/^countries\/misnamed\.ts \/site /),
      ]),
    );
  });

  it("needs a figure for every placeholder of its texts", async () => {
    expect(await faultsOf({ "aa.js": country("AA", footer({ headline: "delivery.free" })) })).toEqual([
      'countries/aa.ts /footer/headline text "delivery.free" needs /facts/freeShippingFrom',
    ]);
  });

  it("has nothing named that is right", async () => {
    expect(await faultsOf({ "aa.js": country("AA", footer(twoConsentLinks)) })).toEqual([
      expect.stringMatching(/^countries\/aa\.ts \/footer\/legalLinks\b/),
    ]);
    const noConsent = { legalLinks: germany.footer.legalLinks.filter((link) => !("consent" in link)) };
    expect(await faultsOf({ "aa.js": country("AA", footer(noConsent)) })).toEqual([
      expect.stringMatching(/^countries\/aa\.ts \/footer\/legalLinks\b/),
    ]);
  });

  it("has a wrong time named, and one where none can be", async () => {
    const { legalLinks, qualityLogos, socialMedia, teaser, salesTax } = structuredClone<Country>(germany).footer;
    Object.assign(legalLinks[0] ?? {}, { validFrom: "2026-12-30" });
    Object.assign(legalLinks.find(({ consent }) => consent) ?? {}, { validTo: "2027-01-01T00:00:00Z" });
    Object.assign(qualityLogos.logos[1] ?? {}, {
      validFrom: "2027-01-01T00:00:00Z",
      validTo: "2027-01-01T01:00:00+01:00",
    });
    Object.assign(socialMedia.socialMediaIcons[0] ?? {}, { validTo: 1 });
    Object.assign(teaser.groups[0]?.heading.link ?? {}, { validFrom: "2027-01-01T00:00:00Z" });
    Object.assign(salesTax, { validTo: "soon" });
    const changes = footer({ legalLinks, qualityLogos, socialMedia, teaser, salesTax });
    const instant = "must be an ISO 8601 time with an offset, such as 2026-12-24T18:00:00Z";
    expect((await faultsOf({ "aa.js": country("AA", changes) })).toSorted()).toEqual(
      [
        `legalLinks/0/validFrom ${instant}`,
        "legalLinks/2/validTo must not be given",
        "qualityLogos/logos/1/validTo must be later than validFrom",
        `salesTax/validTo ${instant}`,
        "socialMedia/socialMediaIcons/0/validTo must be string",
        "teaser/groups/0/heading/link/validFrom is not known",
      ].map((fault) => `countries/aa.ts /footer/${fault}`),
    );
  });

  it("may have several notices, whose faults are named each", async () => {
    const { link } = germany.footer.salesTax;
    const notice = germany.footer.salesTax;
    expect(await faultsOf({ "aa.js": country("AA", footer({ salesTax: [notice, notice] })) })).toEqual([]);
    const wrong = [
      { ...notice, textBeforeLink: "no.such.text" },
      { link, validFrom: "2027-01-02T00:00:00Z", validTo: "2027-01-01T00:00:00Z" },
    ];
    expect(await faultsOf({ "aa.js": country("AA", footer({ salesTax: wrong })) })).toEqual([
      "countries/aa.ts /footer/salesTax/1/textBeforeLink is missing",
      'countries/aa.ts /footer/salesTax/0/textBeforeLink no text "no.such.text" in locale de',
      "countries/aa.ts /footer/salesTax/1/validTo must be later than validFrom",
    ]);
    expect(await faultsOf({ "aa.js": country("AA", footer({ salesTax: { link } })) })).toEqual([
      "countries/aa.ts /footer/salesTax/textBeforeLink is missing",
    ]);
    expect(await faultsOf({ "aa.js": country("AA", footer({ salesTax: [] })) })).toEqual([
      "countries/aa.ts /footer/salesTax must NOT have fewer than 1 items",
    ]);
  });

  it("that asks for a consent without a page about it is named", async () => {
    const newsletter = { ...germany.newsletter, legals: true };
    expect(await faultsOf({ "aa.js": country("AA", { newsletter }) })).toEqual([
      "countries/aa.ts /newsletter/links/newsletterInfo is missing",
      "countries/aa.ts /newsletter/links/commercialMessageConsent is missing",
      "countries/aa.ts /newsletter/links/personalMarketingConsent is missing",
    ]);
  });

  it.each(["https://shop.example:99999", "https://1.2.3.999", "http://shop.example", "https://shop.example/"])(
    "with an origin that can't be one is named without hiding the others: %s",
    async (origin) => {
      const faults = await faultsOf({
        "aa.js": country("AA", { origin }),
        "bb.js": country("BB", { currency: "EUR" }),
      });
      expect(faults).toEqual([
        expect.stringMatching(/^countries\/aa\.ts \/origin /),
        expect.stringMatching(/^countries\/bb\.ts \/currency is not known$/),
      ]);
    },
  );

  it("that claims what is another's is named with it: site, switcher code, host of an origin", async () => {
    const faults = await faultsOf({
      "aa.js": country("AA"),
      "aa.ts": country("AA"),
      "ab.js": country("AB", { switcher: { code: "ac", flag: "europe" } }),
      "ac.js": country("AC", { hosts: ["ab.shop.example"] }),
    });
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^countries\/aa\.ts \/site AA belongs to AA and AA$/),
        expect.stringMatching(/^countries\/ac\.ts \/switcher\/code ac belongs to AB and AC$/),
        expect.stringMatching(/^countries\/ac\.ts \/hosts ab\.shop\.example belongs to AB and AC$/),
      ]),
    );
  });

  it("that claims what is another's is named with it also where both have other faults", async () => {
    const faults = await faultsOf({
      "aa.js": country("AA", { localHost: "shared.localhost", currency: "EUR", hosts: "none" }),
      "ab.js": country("AB", { localHost: "shared.localhost", site: undefined, origin: 7, switcher: null }),
    });
    expect(faults).toEqual([
      expect.stringMatching(/^countries\/aa\.ts \/currency is not known$/),
      expect.stringMatching(/^countries\/aa\.ts \/hosts must be array$/),
      expect.stringMatching(/^countries\/ab\.ts \/site is missing$/),
      expect.stringMatching(/^countries\/ab\.ts \/origin /),
      expect.stringMatching(/^countries\/ab\.ts \/switcher /),
      expect.stringMatching(/^countries\/ab\.ts \/hosts shared\.localhost belongs to AA and AB$/),
    ]);
  });

  it("isn't a file with another ending, and there must be one", async () => {
    expect(await faultsOf({ "README.md": "# Countries\n", "de.test.ts": "throw 1;\n", "de.js.map": "{}" })).toEqual([
      "countries: no country file found",
    ]);
  });
});

/** Countries and locales as they are, and Slovenia: one more country file, one more locale. */
async function addSlovenia() {
  const folder = await temporaryFolder();
  await Promise.all(["countries", "locales"].map((name) => cp(name, join(folder, name), { recursive: true })));
  const hungary = await readFile("countries/hu.ts", "utf8");
  const slovenia = hungary
    .replaceAll("hu-HU", "sl-SI")
    .replaceAll("HU", "SI")
    .replaceAll(/\bhu\b/g, "si")
    .replaceAll("hungary", "slovenia");
  await writeFile(join(folder, "countries", "si.ts"), slovenia);
  await mkdir(join(folder, "locales", "sl-SI"));
  const ownTexts: Record<string, Record<string, string>> = {
    footer: { headline: "Storitve in informacije", "switcher.heading": "Izberite državo" },
    page: { title: "Kava, moda in ideje za dom" },
  };
  for (const namespace of ["footer", ...pageNamespaces]) {
    const german: Record<string, string> = JSON.parse(await readFile(`locales/de/${namespace}.json`, "utf8"));
    const translated = Object.fromEntries(Object.entries(german).map(([key, text]) => [key, `sl: ${text}`]));
    await writeFile(
      join(folder, "locales", "sl-SI", `${namespace}.json`),
      JSON.stringify({ ...translated, ...ownTexts[namespace] }),
    );
  }
  const moreTexts = await loadTexts(join(folder, "locales"), testLogger);
  const registry = await loadCountries({ folder: join(folder, "countries"), texts: moreTexts, localPort: 3000 });
  return createTestApp({ countries: registry, texts: moreTexts });
}

describe("a tenth country", () => {
  it("is one file plus its locale: its footer is served in its language", async () => {
    const ten = await addSlovenia();
    expect(ten.deps.countries.sites).toHaveLength(sites.length + 1);
    const $ = await footerOf("SI", ten.app);
    expect($("footer").attr()).toMatchObject({ "data-site": "SI", lang: "sl-SI" });
    expect($("h2").first().text()).toBe("Storitve in informacije");
    expect($("[data-section=newsletter]").text()).toMatch(/sl: Zum Newsletter anmelden und 10\s%/);
    expect(linkTexts($, "[data-section=legal]")).toContain("sl: Datenschutz");
    expect($("[aria-current]").attr()).toMatchObject({ "data-code": "si", href: "http://si.localhost:3000/" });
    expect(ten.logs.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  it("stands in every other site's switcher, and changes nothing else there", async () => {
    const ten = await addSlovenia();
    for (const { site } of sites) {
      const $ = await footerOf(site, ten.app);
      const item = $("[data-section=country-switcher] li").filter(
        (_index, li) => $(li).find("[data-code=si]").length > 0,
      );
      expect(item).toHaveLength(1);
      expect(item.text()).toBe("Slovenija");
      expect(item.find("a").attr()).toMatchObject({
        href: "http://si.localhost:3000/",
        lang: "sl-SI",
        hreflang: "sl-SI",
      });
      expect(item.find("use").attr("href")).toMatch(/#flag-slovenia$/);
      item.remove();
      expect($.html()).toBe((await footerOf(site)).html());
    }
  });

  it("has its page at its hosts, its fragments by query, path and host, and is named in the reason of a wrong site", async () => {
    const ten = await addSlovenia();
    for (const host of ["si.localhost", "si.storefront.example"]) {
      const page = await request(ten.app).get("/").set("Host", host).expect(200);
      const $ = load(page.text);
      expect($("html").attr("lang")).toBe("sl-SI");
      expect($("title").text()).toBe("Kava, moda in ideje za dom");
      expect($("footer").attr("data-site")).toBe("SI");
      const byHost = await request(ten.app).get("/fragments/footer").set("Host", host).expect(200);
      expect(byHost.text).toBe((await request(ten.app).get("/fragments/footer/SI").expect(200)).text);
    }
    const manifest = await request(ten.app).get("/fragments/footer/SI/manifest.json").expect(200);
    expect(manifest.body.content).toMatch(/\/fragments\/footer\/SI$/);
    const wrong = await request(ten.app).get("/fragments/footer?site=XX").expect(400);
    expect(wrong.headers["x-fragment-error"]).toMatch(/\bSI\b/);
    await request(app).get("/fragments/footer?site=SI").expect(400);
  });

  it("has a flag in the icons that are already built", async () => {
    const sprite = await request(app).get(deps.assets.path("icons.svg")).expect(200);
    expect(String(sprite.body)).toContain('id="flag-slovenia"');
  });
});
