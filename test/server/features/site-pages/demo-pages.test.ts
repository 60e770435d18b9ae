import { type CheerioAPI, load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { Site } from "../../../../server/sites/countries.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import { createTestApp, sites, texts } from "../../../support/test-app.ts";

const { app, deps, logs } = await createTestApp({ demo: true });
const promoted = await deps.store.db.selectFrom("promotion").select(["site", "linkUrl"]).execute();
const shop = await createTestApp();
const asPeople = "text/html,application/xhtml+xml,*/*;q=0.8";

const get = ({ localHost }: Site, path: string, from = app) =>
  request(from).get(path).set({ Host: localHost, Accept: asPeople }).redirects(1);

/** Lists the paths of the site to which a page links. */
const linksIn = ($: CheerioAPI) =>
  $("a[href^='/']")
    .map((_index, link) => $(link).attr("href"))
    .get();

it.each(sites)(
  "the demo shop of $site has a page behind every link of its pages, in its language, and its company in the imprint",
  async (site) => {
    const starts = ["/", "/login", "/subscribenewsletter", "/bag"];
    const pages = await Promise.all(starts.map((path) => get(site, path)));
    const links = new Set(pages.flatMap(({ text: html }) => linksIn(load(html))));
    expect([...links]).toEqual(expect.arrayContaining(["/wishlist", "/category/coffee", site.login.register]));
    const promotions = promoted.filter((promotion) => promotion.site === site.site).map(({ linkUrl }) => linkUrl);
    for (const path of [...links, ...promotions, ...Object.values(site.newsletter.links), site.imprint.url]) {
      const { status, text: html } = await get(site, path);
      expect([status, /^<!DOCTYPE html><html lang="([^"]+)"/.exec(html)?.[1]], path).toEqual([200, site.locale]);
      expect(html, path).toMatch(/<h1[^>]*>[^<\p{Ll}]/u);
    }
    const { url, ...imprint } = site.imprint;
    const said = load((await get(site, url)).text)("main").text();
    for (const fact of [site.newsletter.sender, ...Object.values(imprint)]) expect(said).toContain(fact);
  },
);

describe.each(sites.slice(0, 1))("the demo shop", (site) => {
  const text = texts.translator(site.locale, "page");

  it("names a page as its link does, describes what a shop has there, and links home", async () => {
    const $ = load((await get(site, site.newsletter.links.privacy)).text);
    expect($("body > header, main, footer[data-fragment=footer]")).toHaveLength(3);
    const heading = $("main h1").text();
    expect(heading).toMatch(/^\p{Lu}/u);
    expect($("title").text()).toContain(heading);
    expect($("meta[name=robots]").attr("content")).toBe("noindex");
    const said = texts.translator(site.locale, "page", { page: heading })("demo.text");
    expect($("main p").text()).toContain(said);
    expect($("meta[name=description]").attr("content")).toContain(said);
    expect($('main a[href="/"]').text()).toBe(text("home"));
    for (const [path, key] of [
      [site.newsletter.links.privacy, "demo.info"],
      ["/category/coffee", "demo.category"],
      [site.login.register, "demo.account"],
      ["/bag?from=mail", "demo.items"],
    ] as const)
      expect(load((await get(site, path)).text)("main p").text(), path).toContain(text(key));
    expect(markupFaults((await get(site, "/bag")).text)).toEqual([]);
    expect(logs.at(-1)).toMatchObject({ route: "demo page" });
  });

  it("leaves its footer to an edge that includes fragments, and to no other", async () => {
    const pageAt = async (edge: string, cookie = "") =>
      (await get(site, "/").set({ "Surrogate-Capability": edge, Cookie: cookie })).text;
    const including = `<esi:include src="/fragments/footer/${site.site}?assets=none`;
    expect(await pageAt('edge="Surrogate/1.0 ESI/1.0"')).toContain(`${including}" `);
    const onPhone = await pageAt('edge="Surrogate/1.0 ESI/1.0"', "platform=smartphone");
    expect(onPhone, "the layout that the visitor has chosen").toContain(`${including}&amp;platform=MATCH" `);
    expect(await pageAt('edge="Surrogate/1.0"')).toContain("<footer");
  });

  it("answers 404 where no link leads, and everywhere outside the demo", async () => {
    for (const { status, text: html } of [
      await get(site, "/service/nowhere"),
      await get(site, "/bag", shop.app),
      await get(site, site.newsletter.links.privacy, shop.app),
    ]) {
      expect(status).toBe(404);
      expect(load(html)("main h1").text()).toBe(text("notFound.heading"));
    }
  });

  it("answers programs below /service/ with JSON, and elsewhere with nothing", async () => {
    const ask = (path: string) => request(app).get(path).set({ Host: site.localHost, Accept: "application/json" });
    const call = await ask(site.newsletter.links.privacy).expect(404);
    expect(call.body).toMatchObject({ type: "NOT_FOUND", status: 404 });
    expect((await ask("/bag").expect(404)).text).toBe("");
  });
});
