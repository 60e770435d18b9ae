import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import greekFooter from "../../../examples/maestral/locales/el-GR/footer.json" with { type: "json" };
import greekLogin from "../../../examples/maestral/locales/el-GR/login.json" with { type: "json" };
import croatianFooter from "../../../examples/maestral/locales/hr-HR/footer.json" with { type: "json" };
import { readEnv } from "../../../server/config/env.ts";
import { createTestApp } from "../../support/test-app.ts";
import { loadOwnShop } from "../../support/write-shop.ts";

const folder = "examples/maestral";
const { defaultSite, sites } = readEnv({ SHOP_DIR: folder });
const { app, logs } = await createTestApp({ ...(await loadOwnShop(folder)), defaultSite });

describe("a shop with countries that are not built in", () => {
  it("has its own sites alone, the first of which is the default", () => {
    expect([sites, defaultSite]).toEqual([["GR", "HR"], "GR"]);
  });

  it.each([
    ["GR", "el-GR", greekFooter],
    ["HR", "hr-HR", croatianFooter],
  ] as const)("has the footer of %s in its language, with its own drawings", async (site, locale, texts) => {
    const { text } = await request(app).get(`/fragments/footer/${site}`).expect(200);
    const $ = load(text);
    expect($("footer").attr()).toMatchObject({ lang: locale, "data-site": site });
    expect($("h2").first().text()).toBe(texts.headline);
    expect($("[data-section=social] a").last().text()).toContain(texts["social.viber"]);
    expect($("footer").text()).not.toMatch(/[{}]/);
    const countries = $("[data-section=country-switcher] li").map((_index, item) => $(item).text());
    expect(countries.get().sort()).toEqual(["Hrvatska", "Ελλάδα"]);

    const sprite = await request(app).get(String($("use").first().attr("href")?.split("#")[0]));
    const ids = [...sprite.body.toString().matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
    for (const use of $("use")) expect(ids).toContain($(use).attr("href")?.split("#")[1]);
    for (const { attribs } of $("img").get()) await request(app).get(String(attribs.src)).expect(200);
    expect(logs.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  it("has pages in its language, without a text missing", async () => {
    const page = async (path: string) => load((await request(app).get(path).set("Host", "gr.localhost")).text);
    expect((await page("/login"))("h1").text()).toBe(greekLogin.heading);
    expect((await page("/subscribenewsletter"))("form[action^='/newsletter'] button").text()).toContain("Εγγραφή");
    expect(logs.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });
});
