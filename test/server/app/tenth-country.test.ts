import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { load } from "cheerio";
import request from "supertest";
import { afterAll, expect, it } from "vitest";
import { loadTexts } from "../../../server/platform/texts.ts";
import { readCountries } from "../../../server/sites/countries.ts";
import { openFooter } from "../../support/open-footer.ts";
import { addSlovenia, copyWithoutSlovenia } from "../../support/tenth-country.ts";
import { createTestApp, drawings, testLogger } from "../../support/test-app.ts";

const folder = await mkdtemp(join(tmpdir(), "ten-countries-"));
afterAll(() => rm(folder, { recursive: true }));

/** The app with the countries and the texts of the folder. */
async function openShop() {
  const { texts } = await loadTexts(testLogger, join(folder, "locales"));
  const { countries, faults } = await readCountries({
    folder: join(folder, "countries"),
    drawings,
    texts,
    localPort: 3000,
  });
  expect(faults).toEqual([]);
  return createTestApp({ countries, demo: true, texts });
}

await copyWithoutSlovenia(folder);
const nine = await openShop();
await addSlovenia(folder);
const ten = await openShop();

it("its footer is served in its language", async () => {
  const $ = await openFooter(ten.app, "SI");
  expect($("footer").attr()).toMatchObject({ "data-site": "SI", lang: "sl-SI" });
  expect($("h2").first().text()).toBe("Storitve in informacije");
  expect($("[data-section=newsletter]").text()).toMatch(/Sl: Zum Newsletter anmelden und 15\s%/);
  expect($("[data-section=legal] a").text()).toContain("Sl: Datenschutz");
  expect($("[aria-current]").attr()).toMatchObject({ "data-code": "si", href: "http://si.localhost:3000/" });
  expect(ten.logs.filter(({ level }) => Number(level) > 30)).toEqual([]);
});

it("it is in every other site's switcher, and changes nothing else there", async () => {
  for (const { site } of nine.deps.countries.sites) {
    const $ = await openFooter(ten.app, site);
    const item = $("[data-section=country-switcher] li:has([data-code=si])");
    expect(item).toHaveLength(1);
    expect(item.text()).toBe("Slovenija");
    expect(item.find("a").attr("data-icon")).toBe(drawings.flags.get("slovenia"));
    item.remove();
    expect($.html()).toBe((await openFooter(nine.app, site)).html());
  }
});

it("it has its page at its hosts, its fragments by query, path and host, and is named where a site is wrong", async () => {
  for (const host of ["si.localhost", "si.storefront.example"]) {
    const page = await request(ten.app).get("/").set("Host", host).expect(200);
    const $ = load(page.text);
    expect($("html").attr("lang")).toBe("sl-SI");
    expect($("title").text()).toBe("Kava, moda in ideje za dom – Storefront");
    expect($("footer").attr("data-site")).toBe("SI");
    const byHost = await request(ten.app).get("/fragments/footer").set("Host", host).expect(200);
    expect(byHost.text).toBe((await request(ten.app).get("/fragments/footer/SI").expect(200)).text);
  }
  const manifest = await request(ten.app).get("/fragments/footer/SI/manifest.json").expect(200);
  expect(manifest.body.content).toMatch(/\/fragments\/footer\/SI$/);
  const wrong = await request(ten.app).get("/fragments/footer?site=XX").expect(400);
  expect(wrong.headers["x-fragment-error"]).toMatch(/\bSI\b/);
  await request(nine.app).get("/fragments/footer?site=SI").expect(400);
});

/**
 * Suites of the countries' data, and suites of behaviour. In the latter, only tests count that name every site or
 * Slovenia.
 */
const suites = [
  [
    "test/spec/",
    "test/countries/",
    "test/locales/",
    "test/schemas/",
    "test/server/sites/",
    "--exclude",
    "**/footer-versions.test.ts",
  ],
  [
    ...["test/server/app/", "test/server/rendering/", "test/server/features/site-pages/"],
    ...["test/server/sites/footer-versions", "-t", "every site|\\bSI\\b"],
  ],
];

it("leaves the tests green that hold for any country", async () => {
  const vitest = [join(folder, "node_modules/vitest/vitest.mjs"), "run", "--project", "server", "--no-color"];
  // Each worker loads the service again.
  const oneWorker = ["--maxWorkers", "1"];
  const others = ["--exclude", "**/tenth-country.test.ts"];
  // One after the other, because the second run uses what the first has transformed.
  for (const words of suites) {
    const run = promisify(execFile)(process.execPath, [...vitest, ...oneWorker, ...others, ...words], { cwd: folder });
    const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed);
    expect(stdout + stderr).toMatch(/Tests\s+\d{2,} passed( \| \d+ skipped)? \(\d+\)/);
  }
}, 300_000);
