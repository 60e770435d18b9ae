import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import switzerland from "../../../countries/ch.ts";
import hungary from "../../../countries/hu.ts";
import type { Country } from "../../../schemas/types.ts";
import { findGaps } from "../../../server/sites/find-gaps.ts";
import { writeCountry } from "../../../server/sites/write-country.ts";
import { sites, texts } from "../../support/test-app.ts";

const model = {
  model: hungary as Country,
  texts: readTexts("locales/hu-HU"),
  locales: readdirSync("locales"),
  flags: ["hungary", "slovenia", "switzerland"] as const,
};

function readTexts(folder: string): Record<string, Record<string, string>> {
  const files = readdirSync(folder).map((file) => [
    file.replace(".json", ""),
    readFileSync(join(folder, file), "utf8"),
  ]);
  return Object.fromEntries(files.map(([namespace, json]) => [namespace, JSON.parse(String(json))]));
}

/** Writes a country to a folder of its own, and gives what is in its file. */
async function write(changes: Partial<Parameters<typeof writeCountry>[0]> & { site: string }) {
  const folder = mkdtempSync(join(tmpdir(), "country-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = { folder, types: join(process.cwd(), "schemas/types.ts") };
  const files = writeCountry({ ...model, ...changes }, place);
  const { default: country }: { default: Country } = await import(String(files[0]));
  return { folder, place, files: files.map((file) => file.slice(folder.length + 1)), country };
}

it("is a copy that has what its code tells, and names what nobody but the shop knows", async () => {
  const { country, files } = await write({ site: "SI" });
  expect(files).toEqual(["countries/si.ts", ...Object.keys(model.texts).map((name) => `locales/sl-SI/${name}.json`)]);
  expect(country).toMatchObject({
    ...{ site: "SI", locale: "sl-SI", footerLocale: "sl-SI", origin: "https://si.storefront.example" },
    ...{ localHost: "si.localhost", timeZone: "Europe/Ljubljana", switcher: { code: "si", flag: "slovenia" } },
    gaps: ["/origin", "/imprint", "/apps", "/newsletter", "/footer", "/facts/returnPeriod"],
  });
  expect(JSON.stringify(country)).not.toMatch(/\/hu[/"]/);
});

it("has no texts of its own where its language has, a flag to be drawn, and a language that its code names", async () => {
  const { country, files } = await write({ site: "LI" });
  expect(files).toEqual(["countries/li.ts"]);
  expect(country).toMatchObject({ locale: "de-LI", footerLocale: "de", switcher: { code: "li", flag: "hungary" } });
  expect(country.gaps).toContain("/switcher/flag");
  const italian = await write({ site: "CH_IT", model: switzerland as Country });
  expect(italian.country).toMatchObject({ locale: "it-CH", switcher: { code: "ch_it", flag: "switzerland" } });
});

it("leaves what is there already, and knows no country that isn't", async () => {
  const { place } = await write({ site: "SI" });
  expect(() => writeCountry({ ...model, site: "SI" }, place)).toThrow(/countries\/si\.ts is there already/);
  expect(() => writeCountry({ ...model, site: "XQ" }, place)).toThrow("XQ: there is no country XQ");
});

it("the countries of the repository have no gaps", () => {
  expect(findGaps(sites, texts)).toEqual([]);
});
