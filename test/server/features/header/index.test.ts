import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { Site } from "../../../../server/sites/countries.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import { countries, createTestApp, siteOf, sites } from "../../../support/test-app.ts";

const { app } = await createTestApp();
const headerOf = async (site: string, query = "", of = app) =>
  (await request(of).get(`/fragments/header/${site}${query}`).expect(200)).text;

/** An app whose Germany has other data. */
async function appWith(changes: Partial<Site>) {
  const changed = sites.map((site) => (site.site === "DE" ? { ...site, ...changes } : site));
  const get = (code: string) => changed.find(({ site }) => site === code);
  return (await createTestApp({ countries: { ...countries, sites: changed, get } })).app;
}

describe("the header", () => {
  it.each(sites.map(({ site }) => site))("of %s is the one of the service's own pages", async (code) => {
    const { localHost } = siteOf(code);
    const own = await request(app).get("/login").set("Host", localHost).expect(200);
    const html = await headerOf(code, "?assets=none");
    expect(own.text).toContain(html);
    const $ = load(html);
    expect($("header").attr()).toMatchObject({ "data-fragment": "header", "data-site": code });
    expect($('a[href="/login"], a[href="/wishlist"], a[href="/bag"]')).toHaveLength(3);
    expect($(".sf-header-nav a").length).toBe(5);
    expect($("a").filter((_index, link) => $(link).text() === "").length).toBe(0);
  });

  it("is valid, brings its stylesheet, and is the same for everybody", async () => {
    const { text, headers } = await request(app).get("/fragments/header/DE").set("Cookie", "LoginToken=any");
    expect(markupFaults(`<!DOCTYPE html><html lang="de"><title>-</title><body>${text}`)).toEqual([]);
    expect(text).toMatch(/<link rel="stylesheet" href="\/assets\/header-\w+\.css" integrity="sha384-/);
    expect(headers).toMatchObject({
      "cache-control": expect.stringMatching(/^public, /),
      "surrogate-key": expect.stringMatching(/^fragment-header country-DE build-/),
    });
    expect(text).toBe(await headerOf("DE"));
    expect(text, "its fallback").toBe(await headerOf("DE", "/fallback"));
  });

  it("shows the links of its country alone", async () => {
    const navigation = [{ url: "https://outlet.shop.example/", text: "nav.sale" }];
    const $ = load(await headerOf("DE", "", await appWith({ navigation, account: {} })));
    const hrefs = $("a").map((_index, link) => $(link).attr("href"));
    expect(hrefs.get()).toEqual(["/", "/login", "https://outlet.shop.example/"]);
    const without = await headerOf("DE", "", await appWith({ navigation: [] }));
    expect(load(without)("nav")).toHaveLength(1);
  });

  it("leaves out links whose text the country's locale lacks", async () => {
    const unknown = { text: "nav.unknown" };
    const changes = {
      navigation: [{ ...unknown, url: "/unknown" }],
      account: { links: [{ ...unknown, url: "/unknown", icon: "bag" }] },
    };
    const $ = load(await headerOf("DE", "", await appWith(changes)));
    expect($(".sf-header-link").length, "the login alone").toBe(1);
    expect($('a[href="/unknown"]')).toHaveLength(0);
  });
});
