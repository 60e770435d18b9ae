import { join } from "node:path";
import { load } from "cheerio";
import request from "supertest";
import { expect, it, onTestFinished, vi } from "vitest";
import { runInit } from "../../../server/commands/init-command.ts";
import { listShopTexts } from "../../../server/commands/list-texts.ts";
import { seedDemo } from "../../support/seed-demo.ts";
import { createTestApp, testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";
import { loadOwnShop, writeShop } from "../../support/write-shop.ts";

/** What the built-in shop sells, and what an earlier version of the new shop sold. */
const goods = /coffee|kaffee|bohne|tasse|\bmode\b|fashion|mobil(?!e)|werkstatt|küche|möbel/i;
/** The new shop's topics, as the demo shows this blank: the only place that says what the shop sells. */
const topics = "Möbel und Küchengeräte";

it("a new shop shows, links to and stores nothing that the built-in shop sells, and names its own goods in one place", async () => {
  const folder = join(await writeShop({}), "my-shop");
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  expect(await runInit(["init", folder])).toBe(0);
  const shop = await loadOwnShop(folder);
  const store = await openTestStore(testLogger);
  onTestFinished(() => store.close());
  await seedDemo({ db: store.db, sites: shop.countries.sites, texts: shop.texts });
  const { app } = await createTestApp({ ...shop, store, demo: true, defaultSite: "DE" });
  const paths = ["/", "/login", "/subscribenewsletter", "/category/all", "/nowhere", "/newsletter/confirmed"];
  paths.push("/fragments/footer/DE", "/fragments/header/DE", "/fragments/newsletter/DE");
  for (const path of paths) {
    const { text } = await request(app).get(path).set("Host", "de.localhost");
    expect(load(text).text().length, path).toBeGreaterThan(50);
    expect(text.replaceAll(topics, "").match(goods)?.[0], path).toBeUndefined();
  }
  const [site] = shop.countries.sites;
  const listed = site ? listShopTexts(site, shop.texts, shop.brand) : [];
  expect(listed).toContainEqual({ site: "DE", place: "brand.json /topics/DE", text: topics });
  for (const { place, text } of listed) expect(text.replace(topics, ""), place).not.toMatch(goods);
});
