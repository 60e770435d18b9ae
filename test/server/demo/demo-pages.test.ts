import { type CheerioAPI, load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { Site } from "../../../server/sites/countries.ts";
import { markupFaults } from "../../support/markup-faults.ts";
import { createTestApp, sites, texts } from "../../support/test-app.ts";

const { app } = await createTestApp({ demo: true });
const shop = await createTestApp();
const asPeople = "text/html,application/xhtml+xml,*/*;q=0.8";

const get = ({ localHost }: Site, path: string, from = app) =>
  request(from).get(path).set({ Host: localHost, Accept: asPeople }).redirects(1);

/** Lists the paths of the site to which a page links. */
const linksIn = ($: CheerioAPI) =>
  $("a[href^='/']")
    .map((_index, link) => $(link).attr("href"))
    .get();

describe.each(sites)("the demo shop of $site", (site) => {
  const text = texts.translator(site.locale, "page");

  it("has a page behind every link of its pages, in its language, with header, footer and the way back", async () => {
    const waiting = ["/", "/login", "/subscribenewsletter"];
    const seen = new Set(waiting);
    const told = new Set<string>();
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text: html } = await get(site, path);
      const $ = load(html);
      expect([status, $("html").attr("lang")], path).toEqual([200, site.locale]);
      expect($("body > header, main, footer[data-fragment=footer]"), path).toHaveLength(3);
      for (const link of linksIn($).filter((found) => !seen.has(found))) {
        seen.add(link);
        waiting.push(link);
      }
      if (!$(".sf-message-label").length) continue;
      const heading = $("main h1").text();
      told.add(path);
      expect($("title").text(), path).toContain(heading);
      expect($("meta[name=description]").attr("content"), path).toContain(heading);
      expect($("main").text(), path).toContain(texts.translator(site.locale, "page", { page: heading })("demo.text"));
      expect($(`main a[href="/"]`).text(), path).toBe(text("home"));
    }
    expect([...told]).toEqual(
      expect.arrayContaining(["/bag", "/wishlist", site.login.register, ...Object.values(site.newsletter.links)]),
    );
  });

  it("calls a page as its link does, and says what a shop has there", async () => {
    const privacy = load((await get(site, site.newsletter.links.privacy)).text);
    expect(privacy("main h1").text()).toMatch(/^\p{Lu}/u);
    expect(privacy("main p").text()).toContain(text("demo.info"));
    for (const [path, key] of [
      ["/category/coffee", "demo.category"],
      [site.login.register, "demo.account"],
      ["/bag?from=mail", "demo.items"],
    ] as const)
      expect(load((await get(site, path)).text)("main p").text(), path).toContain(text(key));
    expect(markupFaults((await get(site, "/bag")).text)).toEqual([]);
  });

  it("says that there is no page where no link leads, and has none of them when it isn't the demo", async () => {
    for (const { status, text: html } of [
      await get(site, "/service/nowhere"),
      await get(site, "/bag", shop.app),
      await get(site, site.newsletter.links.privacy, shop.app),
    ]) {
      expect(status).toBe(404);
      expect(load(html)("main h1").text()).toBe(text("notFound.heading"));
    }
  });
});

describe("the demo shop", () => {
  it.each(sites.slice(0, 1))("answers programs below /service/ with JSON, and elsewhere with nothing", async (site) => {
    const ask = (path: string) => request(app).get(path).set({ Host: site.localHost, Accept: "application/json" });
    const call = await ask(site.newsletter.links.privacy).expect(404);
    expect(call.body).toMatchObject({ type: "NOT_FOUND", status: 404 });
    expect((await ask("/bag").expect(404)).text).toBe("");
  });
});
