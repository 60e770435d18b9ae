import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import austria from "../../../countries/at.ts";
import type { Country } from "../../../schemas/types.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";

const folder = await mkdtemp(join(tmpdir(), "shop-"));
const env = { SHOP_DIR: folder };
afterAll(async () => {
  stopProcesses();
  await rm(folder, { recursive: true });
});

it("an empty folder becomes a shop that starts, whatever texts it lacks", async () => {
  const { code, stdout } = await runCommand(env, "country", "add", "no", "--from", "de");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^file\s+countries\/no\.ts$/m)]);
  expect(stdout).toMatch(/`gaps` names in countries\/no\.ts.*\n.* country gaps\n$/);
  const service = startProcess(env);
  const footer = await fetch(`http://127.0.0.1:${await service.port}/fragments/footer/NO`);
  expect([footer.status, await footer.text()]).toEqual([200, expect.stringContaining('lang="nb-NO"')]);
  // Warnings follow once the service is ready.
  const warning = () => service.stdout().match(/^.*have gaps.*\n/m)?.[0];
  await expect.poll(warning, { timeout: 10_000 }).toBeDefined();
  expect(JSON.parse(warning() ?? "").gaps).toMatchObject({
    "countries/no.ts": 9,
    "locales/nb-NO/login.json": expect.any(Number),
  });
});

it("a shop with countries of its own copies a built-in one, whose company it may have named already", async () => {
  await writeFile(join(folder, "brand.json"), JSON.stringify({ legalNames: { DK: "Hus ved Torvet ApS" } }));
  for (const words of [["dk", "--from", "xx"], ["dk"]]) {
    const { code, stderr } = await runCommand(env, "country", "add", ...words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^--from must name the country to copy, as (XX|DK) isn't one of AT, .*NO, PL/);
  }
  expect((await runCommand(env, "country", "add", "dk", "--from", "de")).code).toBe(0);
  const { default: country }: { default: Country } = await import(join(folder, "countries/dk.ts"));
  expect(country).toMatchObject({ site: "DK", locale: "da-DK", newsletter: { sender: "Storefront ‹GmbH›" } });
  expect(country).toMatchObject({ switcher: { flag: "neutral" }, gaps: expect.arrayContaining(["/switcher/flag"]) });
});

it("a built-in country is copied with its own texts and rules, and only the company's fields are left", async () => {
  expect((await runCommand(env, "country", "add", "at")).code).toBe(0);
  const file = join(folder, "countries/at.ts");
  const lines = (await readFile(file, "utf8")).split("\n");
  expect(lines.length).toBeLessThan((await readFile("countries/at.ts", "utf8")).split("\n").length + 20);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
  const { default: country }: { default: Country } = await import(file);
  const { gaps, ...copy } = country;
  expect(gaps).toEqual([
    "/origin",
    "/imprint",
    "/apps",
    "/navigation",
    "/newsletter/topics",
    "/newsletter/categories",
    "/newsletter/voucher",
    "/footer/teaser",
    "/footer/seo",
    "/footer/socialMedia",
    "/footer/appReferences",
    "/footer/qualityLogos",
  ]);
  expect(copy).toEqual(austria);
});
