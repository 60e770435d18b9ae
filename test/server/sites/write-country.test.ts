import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Country } from "../../../schemas/types.ts";
import { findShop } from "../../../server/platform/shop-folder.ts";
import { loadTexts } from "../../../server/platform/texts.ts";
import { readCountries } from "../../../server/sites/countries.ts";
import { findGaps } from "../../../server/sites/find-gaps.ts";
import { writeCountry } from "../../../server/sites/write-country.ts";
import { drawings, siteOf, sites, testLogger, texts } from "../../support/test-app.ts";
import { writeShop } from "../../support/write-shop.ts";

/** The sites as their countries' files have them. */
const { countries } = await readCountries({ folder: "countries", drawings, texts });
const modelOf = (site: string) => countries.get(site) ?? expect.unreachable(`no site ${site}`);
const model = {
  model: modelOf("HU"),
  texts: readTexts("locales/hu-HU"),
  locales: ["de", "hu-HU"],
  flags: ["hungary", "estonia", "switzerland"] as const,
};

function readTexts(folder: string): Record<string, Record<string, string>> {
  const files = readdirSync(folder).map((file) => [
    file.replace(".json", ""),
    readFileSync(join(folder, file), "utf8"),
  ]);
  return Object.fromEntries(files.map(([namespace, json]) => [namespace, JSON.parse(String(json))]));
}

/**
 * Writes a country to a folder of its own.
 * @returns the content of its file
 */
async function write(changes: Partial<Parameters<typeof writeCountry>[0]> & { site: string }) {
  const folder = mkdtempSync(join(tmpdir(), "country-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = { folder, types: join(process.cwd(), "schemas/types.ts") };
  const files = writeCountry({ ...model, ...changes }, place);
  const { default: country }: { default: Country } = await import(String(files[0]));
  return { folder, place, files: files.map((file) => file.slice(folder.length + 1)), country };
}

it("is a copy that has what its code tells, and names what nobody but the shop knows", async () => {
  const { country, files } = await write({ site: "EE" });
  expect(files).toEqual(["countries/ee.ts", ...Object.keys(model.texts).map((name) => `locales/et-EE/${name}.json`)]);
  expect(country).toMatchObject({
    site: "EE",
    locale: "et-EE",
    footerLocale: "et-EE",
    origin: "https://ee.storefront.example",
    localHost: "ee.localhost",
    timeZone: "Europe/Tallinn",
    switcher: { code: "ee", flag: "estonia" },
    gaps: ["/origin", "/imprint", "/apps", "/navigation", "/account", "/newsletter", "/footer", "/facts/returnPeriod"],
  });
  expect(JSON.stringify(country)).not.toMatch(/\/hu[/"]/);
});

it("has no texts of its own where its language has, a flag to be drawn, and a language that its code names", async () => {
  const { country, files } = await write({ site: "LI" });
  expect(files).toEqual(["countries/li.ts"]);
  expect(country).toMatchObject({ locale: "de-LI", footerLocale: "de", switcher: { code: "li", flag: "neutral" } });
  expect(country.gaps).toContain("/switcher/flag");
  const italian = await write({ site: "CH_IT", model: modelOf("CH") });
  expect(italian.country).toMatchObject({ locale: "it-CH", switcher: { code: "ch_it", flag: "switzerland" } });
});

it("starts with its gaps named, and shows none of the model's texts", async () => {
  const { folder, country } = await write({ site: "EE", flags: ["hungary"] });
  const { texts: layered } = await loadTexts(testLogger, "locales", findShop(folder));
  const { countries: written, faults } = await readCountries({
    folder: join(folder, "countries"),
    drawings,
    texts: layered,
  });
  expect(faults).toEqual([]);
  const gaps = findGaps(written.sites, layered);
  expect(gaps).toEqual(
    expect.arrayContaining([
      "countries/ee.ts /imprint is still another country's",
      "locales/et-EE/footer.json /returns.heading is missing",
    ]),
  );
  expect(gaps.length).toBeGreaterThan(300);
  expect(written.sites[0]?.missingConsentTexts).toContain("legal.consent");
  expect(layered.translator("et-EE", "footer")("headline")).toBe("");
  expect(country.gaps).not.toEqual([]);
});

it("names a text whose placeholders are others than the reference locale's", async () => {
  const { folder } = await write({ site: "EE" });
  writeFileSync(join(folder, "locales/et-EE/page.json"), JSON.stringify({ "account.signedIn": "Sisse logitud" }));
  const { texts: layered } = await loadTexts(testLogger, "locales", findShop(folder));
  expect(findGaps([{ ...siteOf("HU"), locale: "et-EE" }], layered)).toContain(
    "locales/et-EE/page.json /account.signedIn has the placeholders none in place of name",
  );
});

it("asks for a text of a footer only in the locales whose countries name it", async () => {
  const own = await writeShop({ "locales/de/footer.json": { "legal.investors": "Investoren" } });
  const { texts: layered } = await loadTexts(testLogger, "locales", findShop(own));
  const { footer, ...poland } = siteOf("PL");
  const legalLinks = [...footer.legalLinks, { url: "/service/investors", text: "legal.investors" }];
  const others = sites.filter(({ site }) => site !== "PL");
  expect(findGaps([...others, { ...poland, footer: { ...footer, legalLinks } }], layered)).toEqual([
    "locales/pl-PL/footer.json /legal.investors is missing",
  ]);
});

it("leaves what is there already, and knows no country that isn't", async () => {
  const { place } = await write({ site: "EE" });
  expect(() => writeCountry({ ...model, site: "EE" }, place)).toThrow(/countries\/ee\.ts already exists/);
  expect(() => writeCountry({ ...model, site: "XQ" }, place)).toThrow("XQ: there is no country XQ");
});

it("the countries of the repository have no gaps", () => {
  expect(findGaps(sites, texts)).toEqual([]);
});
