import { describe, expect, it } from "vitest";
import germany from "../../../countries/de.ts";
import type { Country } from "../../../schemas/types.ts";
import { readCountries } from "../../../server/sites/countries.ts";
import { countries, drawings, sites, texts } from "../../support/test-app.ts";
import { writeShop } from "../../support/write-shop.ts";

const codes = sites.map(({ site }) => site);
/** The namespaces of which a site's own locale must have texts. */
const optional = ["footer", "demo", "seasons", "preferences", "sign-in", "staff-sign-in"];
const pageNamespaces = texts.namespaces("de").filter((namespace) => !optional.includes(namespace));

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
    const { countries: registry } = await readCountries({ folder: "countries", drawings, texts, origins });
    for (const { site, localHost, origin } of registry.sites) {
      expect(origin).toBe(origins.get(site));
      expect(registry.forHost(localHost)?.site).toBe(site);
      expect(registry.forHost(new URL(origin).hostname)?.site).toBe(site);
    }
  });
});

/** Returns a valid country, except for `changes`. */
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

/** Loads files, and returns the resulting faults. */
async function faultsOf(contents: Record<string, string | Record<string, unknown>>): Promise<string[]> {
  const files = Object.entries(contents).map(([file, content]) => {
    return [file, typeof content === "string" ? content : `export default ${JSON.stringify(content)};\n`];
  });
  const folder = await writeShop(Object.fromEntries(files));
  return (await readCountries({ folder, drawings, texts })).faults;
}

const twoConsentLinks = {
  legalLinks: germany.footer.legalLinks.map((link) =>
    link.text === "legal.terms" ? { ...link, consent: true } : link,
  ),
};

describe("a country file", () => {
  it("is right once each gap has been taken out of its list", async () => {
    expect(await faultsOf({ "aa.ts": country("AA", { gaps: [] }) })).toEqual([]);
  });

  it("is right as these tests write it", async () => {
    expect(await faultsOf({ "aa.js": country("AA"), "bb-cc.js": country("BB_CC") })).toEqual([]);
  });

  it("is named with its fault, when several are broken all of them at once", async () => {
    const faults = await faultsOf({
      "aa.ts": "export default {\n  site: {{\n",
      "ab.js": "export const country = {};\n",
      "ac.js": "export default 1;\n",
      "ad.js": "throw new Error('planted failure\\nof two lines');\n",
      "ae.js": country("AE", { site: "Aetheria" }),
      "ag.js": country("AG", footer({ headline: "no.such.text" })),
      "ah.js": country("AH", footer(twoConsentLinks)),
      "ai.js": country("AI", { currency: "EUR" }),
      "aj.js": country("AJ", footer({ headline: "delivery.free" })),
      "ak.js": country("AK", { newsletter: { ...germany.newsletter, legals: true } }),
      "misnamed.js": country("AL"),
      "am.js": country("AM", { locale: "xx-XX" }),
      "an.js": country(
        "AN",
        footer({ seo: { heading: "seo.heading", columns: [[{ url: "javascript:alert(1)", text: "seo.heading" }]] } }),
      ),
      "ap.js": country("AP", { facts: {} }),
      "ar.js": country("AR", { footerLocale: undefined, facts: undefined, ...footer({ headline: "no.such.text" }) }),
      "as.js": country("AS", {
        navigation: [{ url: "/category/tea", text: "nav.unknown" }],
        account: { links: [{ url: "/bag", text: "account.signedIn", icon: "bag" }] },
      }),
      "az.js": country("AZ"),
    });
    expect(faults).toEqual(
      expect.arrayContaining(
        [
          /^countries\/aa\.ts can't be loaded: .+ \(line 2\)$/,
          /^countries\/ab\.ts has no country as its default export$/,
          /^countries\/ac\.ts has no country as its default export$/,
          /^countries\/ad\.ts can't be loaded: planted failure \(line 1\)$/,
          /^countries\/ae\.ts \/site must match pattern/,
          /^countries\/ag\.ts \/footer\/headline no text "no\.such\.text" in locale de$/,
          /^countries\/ah\.ts \/footer\/legalLinks must contain exactly one entry with consent$/,
          /^countries\/ai\.ts \/currency is not known$/,
          /^countries\/aj\.ts \/footer\/headline text "delivery\.free" needs \/facts\/freeShippingFrom$/,
          /^countries\/ak\.ts \/newsletter\/links\/newsletterInfo is missing$/,
          /^countries\/ak\.ts \/newsletter\/links\/commercialMessageConsent is missing$/,
          /^countries\/ak\.ts \/newsletter\/links\/personalMarketingConsent is missing$/,
          /^countries\/misnamed\.ts \/site is AL, so the file must be named al$/,
          ...pageNamespaces.map(
            (namespace) => new RegExp(`^countries/am\\.ts /locale no ${namespace} texts in locale xx-XX$`),
          ),
          /^countries\/an\.ts \/footer\/seo\/columns\/0\/0\/url must match pattern/,
          /^countries\/ap\.ts \/facts\/returnPeriod is missing$/,
          /^countries\/as\.ts \/navigation\/0\/text no text "nav\.unknown" in locale de$/,
          /^countries\/as\.ts \/account\/links\/0\/text text "account\.signedIn" needs a value for {{name}}$/,
          /^countries\/ar\.ts \/footer\/headline no text "no\.such\.text" in locale de$/,
        ].map((fault) => expect.stringMatching(fault)),
      ),
    );
    expect(faults.filter((fault) => /\baz\b|\bar\b.* needs /i.test(fault))).toEqual([]);
  });

  it("is right when its own locale alone lacks a text; of the consent's texts it is noted which", async () => {
    const lost = ["pl-PL footer headline", "pl-PL newsletter legal.consent"];
    const find: typeof texts.find = (...wanted) =>
      lost.includes(wanted.join(" ")) ? undefined : texts.find(...wanted);
    const { countries: registry } = await readCountries({ folder: "countries", drawings, texts: { ...texts, find } });
    const missing = registry.sites.map(({ site, missingConsentTexts }) => [site, missingConsentTexts]);
    expect(Object.fromEntries(missing)).toEqual({
      ...Object.fromEntries(codes.map((code) => [code, []])),
      PL: ["legal.consent"],
    });
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

  it("in the European Union needs an end or a certifier of each seal for social or environmental merits", async () => {
    const sealsOf = (changes = {}) => ({
      heading: "quality.heading",
      logos: ["green", "gutGemacht", "gptw", "bevh"].map((source) => ({
        image: { label: "Seal", source, width: 80, height: 80 },
        ...changes,
      })),
    });
    const bare = footer({ qualityLogos: sealsOf() });
    expect(await faultsOf({ "aa.js": country("AA", bare) })).toEqual(
      [0, 1, 2].map((index) => `countries/aa.ts /footer/qualityLogos/logos/${index}/certifiedBy is missing`),
    );
    for (const changes of [{ certifiedBy: "Somebody" }, { validTo: "2026-09-27T00:00:00+02:00" }])
      expect(await faultsOf({ "aa.js": country("AA", footer({ qualityLogos: sealsOf(changes) })) })).toEqual([]);
    expect(await faultsOf({ "aa.js": country("AA", { ...bare, locale: "de-CH" }) })).toEqual([]);
  });

  it("may have several notices, whose faults are named each", async () => {
    const notice = germany.footer.salesTax;
    const { link } = notice;
    const wrong = [
      notice,
      { ...notice, textBeforeLink: "no.such.text" },
      { link, validFrom: "2027-01-02T00:00:00Z", validTo: "2027-01-01T00:00:00Z" },
    ];
    expect(await faultsOf({ "aa.js": country("AA", footer({ salesTax: wrong })) })).toEqual([
      "countries/aa.ts /footer/salesTax/2/textBeforeLink is missing",
      'countries/aa.ts /footer/salesTax/1/textBeforeLink no text "no.such.text" in locale de',
      "countries/aa.ts /footer/salesTax/2/validTo must be later than validFrom",
    ]);
    expect(await faultsOf({ "aa.js": country("AA", footer({ salesTax: [] })) })).toEqual([
      "countries/aa.ts /footer/salesTax must NOT have fewer than 1 items",
    ]);
  });

  it.each(["https://shop.example:99999", "https://1.2.3.999", "http://shop.example", "https://shop.example/"])(
    "with an impossible origin is named without hiding the others' faults: %s",
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

  it("isn't a file with another ending, and there must be one", async () => {
    expect(await faultsOf({ "README.md": "# Countries\n", "de.test.ts": "throw 1;\n", "de.js.map": "{}" })).toEqual([
      "countries: no country file found",
    ]);
  });
});
