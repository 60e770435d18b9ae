import { load } from "cheerio";
import request from "supertest";
import { expect, it } from "vitest";
import germany from "../../../../countries/de.ts";
import { listShopTexts } from "../../../../server/commands/list-texts.ts";
import { StartError } from "../../../../server/platform/errors.ts";
import { sendForm } from "../../../support/newsletter-pages.ts";
import { recordsOf, signUpOf } from "../../../support/newsletter-test.ts";
import { runOnStore } from "../../../support/run-on-store.ts";
import { createTestApp } from "../../../support/test-app.ts";
import { loadOwnShop, writeShop } from "../../../support/write-shop.ts";

const topics = "Möbel, Leuchten und Küchengeräte";
const sentence = `Meine Einwilligung gilt für diese Themen: ${topics}.`;
const { topics: _builtIn, ...settings } = germany.newsletter;

/** Writes a shop with its own Germany, without topics unless they are given. */
function writeGermany(newsletter: object = {}, files: Record<string, object> = {}) {
  return writeShop({ "countries/de.json": { ...germany, newsletter: { ...settings, ...newsletter } }, ...files });
}

/** Opens a shop, and returns the consent of its form and the one that a sign-up stores. */
async function consentsOf(folder: string) {
  const shop = await loadOwnShop(folder);
  const { app, deps } = await createTestApp(shop);
  const block = load((await request(app).get("/fragments/newsletter/DE").expect(200)).text);
  const email = `${Math.random()}@shop.example`;
  await sendForm(app, "/newsletter?site=DE", signUpOf(email)).expect(303);
  const [record] = await recordsOf(deps.store.db, email, "DE");
  const exported = JSON.parse(await runOnStore(deps.store, ["consent", "export", email], true));
  expect(exported[0].records[0].text).toBe(record?.text);
  return { shown: block(".sf-newsletter-legal").first().text(), stored: record?.text ?? "", shop };
}

async function faultsOf(folder: string): Promise<string[]> {
  const error: unknown = await loadOwnShop(folder).catch((reason) => reason);
  return error instanceof StartError ? error.faults : [];
}

it("the topics of a country are in the consent that the form shows, the proof stores and the command exports", async () => {
  const { shown, stored } = await consentsOf(await writeGermany({ topics }));
  expect(shown).toMatch(new RegExp(`schickt\\. ${sentence}$`));
  expect(stored.split("\n")).toContain(sentence);
});

it("the brand's topics replace the country's, and are listed with their place", async () => {
  const brand = { topics: { DE: topics } };
  const { stored, shop } = await consentsOf(await writeGermany({ topics: "Schuhe" }, { "brand.json": brand }));
  expect(stored).toContain(sentence);
  expect(stored).not.toContain("Schuhe");
  const [site] = shop.countries.sites;
  const listed = site ? listShopTexts(site, shop.texts, shop.brand) : [];
  expect(listed).toContainEqual({ site: "DE", place: "brand.json /topics/DE", text: topics });
  expect(listed).toContainEqual({
    site: "DE",
    place: "built-in locales/de/newsletter.json /legal.topics",
    text: sentence,
  });
});

it("a consent names no topics where a country has none, and nothing that the built-in shop sells", async () => {
  const { shown, stored } = await consentsOf(await writeGermany());
  expect(shown).toMatch(/Neuigkeiten und Angebote schickt\.$/);
  expect(stored).not.toMatch(/Themen|Kaffee|Mode|Mobilfunk/);
});

it("a shop's own consent may name the topics itself, and its emails, too", async () => {
  const texts = { "legal.consent": "Ich möchte Post von {{sender}} über: {{topics}}." };
  const { shown, shop } = await consentsOf(
    await writeGermany(
      { topics },
      {
        "locales/de/newsletter.json": texts,
        "locales/de/mail.json": { "welcome.text": "Willkommen bei {{shop}}: {{topics}}" },
      },
    ),
  );
  const sender = shop.countries.sites[0]?.newsletter.sender;
  expect(shown).toBe(`Ich möchte Post von ${sender} über: ${topics}.`);
  const [site] = shop.countries.sites;
  const mailed = site ? listShopTexts(site, shop.texts, shop.brand) : [];
  expect(mailed.find(({ place }) => place.endsWith("/welcome.text"))?.text).toContain(topics);
});

it("a text that names topics is refused where a country has none", async () => {
  const texts = { "locales/de/newsletter.json": { intro: "Neues über {{topics}}" } };
  expect(await faultsOf(await writeGermany({}, texts))).toEqual([
    'countries/de.json /newsletter/topics is missing, and the text "intro" in newsletter.json needs it',
  ]);
});

it.each(["<b>Möbel</b>", "[Möbel](privacy)", "{{brand}}", "M&ouml;bel", "Möbel\nLeuchten", " Möbel", ""])(
  "topics are refused unless they are plain text: %j",
  async (wrong) => {
    const rule = "must be plain text on one line, without markup, links and placeholders";
    expect(await faultsOf(await writeGermany({ topics: wrong }))).toEqual([
      `countries/de.json /newsletter/topics ${rule}`,
    ]);
    const brand = { "brand.json": { topics: { DE: wrong } } };
    expect(await faultsOf(await writeGermany({}, brand))).toEqual([`brand.json /topics/DE ${rule}`]);
  },
);
