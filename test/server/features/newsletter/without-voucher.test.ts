import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "cheerio";
import PostalMime from "postal-mime";
import request from "supertest";
import { afterAll, describe, expect, it } from "vitest";
import type { Country } from "../../../../schemas/types.ts";
import { listShopTexts } from "../../../../server/commands/list-texts.ts";
import { createMailComposer } from "../../../../server/features/newsletter/mail/compose-mail.tsx";
import { readCountries } from "../../../../server/sites/countries.ts";
import { findGaps } from "../../../../server/sites/find-gaps.ts";
import { openPage, sendForm } from "../../../support/newsletter-pages.ts";
import { lastMail, recordsOf, signUpOf } from "../../../support/newsletter-test.ts";
import { brand, createTestApp, drawings, sites, texts } from "../../../support/test-app.ts";

const folder = await mkdtemp(join(tmpdir(), "countries-"));
afterAll(() => rm(folder, { recursive: true }));
for (const file of globSync("countries/*.ts")) {
  const { default: country }: { default: Country } = await import(pathToFileURL(resolve(file)).href);
  const { voucher: _, links, ...newsletter } = country.newsletter;
  const { voucherConditions: __, ...others } = links;
  const changed = { ...country, newsletter: { ...newsletter, links: others } };
  await writeFile(join(folder, basename(file).replace(".ts", ".json")), JSON.stringify(changed));
}
const read = await readCountries({ folder, drawings, texts, localPort: 3000 });
const { countries } = read;
const without = await createTestApp({ countries, trustProxy: ["loopback"] });
const built = await createTestApp({ trustProxy: ["loopback"] });

/** What the offer is called in the languages of the sites. */
const offer =
  /\d\s?%|%\s?\d|gutschein|rabat|rabais|sparen|économis|zyskaj|\bbon\b|kup[oó]n|poukaz|slev|ušetř|kedvezmény|zľav|ušetrit|indirim/i;

/** Goes from the form to the welcome email, and returns all that a subscriber reads. */
async function readAll({ app, deps, service }: typeof without, code: string) {
  const { db } = deps.store;
  const site = deps.countries.get(code);
  if (!site) throw new Error(`there is no site ${code}`);
  const email = `${code.toLowerCase()}-${deps.countries === countries ? "without" : "with"}@shop.example`;
  const footer = load((await request(app).get(`/fragments/footer/${code}`)).text);
  const page = await openPage(app, "/subscribenewsletter", site).expect(200);
  await sendForm(app, "/newsletter", signUpOf(email), { Host: site.localHost }).expect(303);
  const { subscriberToken: token } = await lastMail(db, email, "confirm");
  await sendForm(app, "/newsletter/confirm", { token }, { Host: site.localHost }).expect(303);
  const confirmed = await openPage(app, "/newsletter/confirmed", site).expect(200);
  const compose = createMailComposer({ brand, countries: deps.countries, texts, mailFrom: "news@shop.example" });
  const rows = await db.selectFrom("mailOutbox").selectAll().where("recipient", "=", email).execute();
  const mails = await Promise.all(rows.map(async (row) => PostalMime.parse((await compose(row)).message)));
  const shared = [...service.newsletter.listContents()].find(([name]) => name.includes(`-${code}-`));
  const [proof] = await recordsOf(db, email, code);
  return {
    footer: footer("[data-section=newsletter]").text(),
    script: String(shared?.[1]),
    page: load(page.text)("[data-fragment=newsletter]").text(),
    description: load(page.text)("meta[name=description]").attr("content") ?? "",
    confirmed: load(confirmed.text)("main").text(),
    mails: mails.map(({ subject, text, html = "" }) => [subject, text, load(html)("body").text()].join()).join(),
    proof: proof?.text ?? "",
    listed: listShopTexts(site, texts, brand)
      .map(({ text }) => text)
      .join(),
  };
}

it("is a country that passes the check, in every language", () => {
  expect(read.faults).toEqual([]);
  expect(findGaps(read.uncheckedSites, texts)).toEqual([]);
  expect(countries.sites).toHaveLength(sites.length);
});

describe.each(sites)("a newsletter without voucher on $site", ({ site }) => {
  it("offers nothing in form, footer, pages, emails and consent", async () => {
    const said = Object.entries(await readAll(without, site));
    for (const [place, text] of said) {
      expect(text.length, place).toBeGreaterThan(20);
      expect(text.match(offer)?.[0], place).toBeUndefined();
    }
  });

  it("is what it was with a voucher", async () => {
    const said = Object.entries(await readAll(built, site));
    for (const [place, text] of said) expect(text, place).toMatch(offer);
  });
});
