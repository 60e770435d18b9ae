import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { load } from "cheerio";
import { createElement, Suspense, use } from "react";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { whileConnected } from "../../../server/http/while-connected.ts";
import { ClientGoneError } from "../../../server/platform/errors.ts";
import { renderStream } from "../../../server/rendering/render-element.ts";
import { countries, createTestApp, siteOf, sites, texts } from "../../support/test-app.ts";

const { app } = await createTestApp({ demo: true });
const page = (host: string, path = "/") => request(app).get(path).set("Host", host);

describe("a page", () => {
  it("shows a message where its content fails, with one error in the log", async () => {
    const site = siteOf("DE");
    const login = {
      ...site.login,
      get register(): string {
        throw new Error("planted failure");
      },
    };
    const forHost = () => ({ ...site, login });
    const { app: broken, logs } = await createTestApp({ countries: { ...countries, forHost } });
    const $ = load((await request(broken).get("/login").set("Host", "de.localhost").expect(200)).text);
    expect($("h1").text()).toBe(texts.translator("de-DE", "page")("error.heading"));
    expect($("footer[data-fragment]")).toHaveLength(1);
    expect(logs.filter(({ level }) => level === 50)).toMatchObject([{ msg: "page rendering failed" }]);
  });

  it("belongs to the site of its host, or the one its query names", async () => {
    expect(load((await page("tr.localhost:3000")).text)("html").attr("lang")).toBe("tr-TR");
    expect(load((await page("tr.storefront.example")).text)("html").attr("lang")).toBe("tr-TR");
    expect(load((await page("tr.localhost", "/?site=HU")).text)("html").attr("lang")).toBe("hu-HU");
    await page("tr.localhost", "/?site=XX").expect(400);
  });

  it("has a title of its own with the shop's name on every site, and a description of its own", async () => {
    const paths = [
      "/",
      "/login",
      "/subscribenewsletter",
      "/newsletter/refuse?token=a",
      "/newsletter/refused",
      "/preview",
    ];
    for (const { site, localHost } of sites) {
      const heads = await Promise.all(paths.map(async (path) => load((await page(localHost, path)).text)("head")));
      const titles = heads.map((head) => head.find("title").text());
      for (const title of titles) expect(title, site).toMatch(/^\S.* – Storefront$/);
      const descriptions = heads.map((head) => head.find("meta[name=description]").attr("content"));
      expect(new Set(titles).size, site).toBe(paths.length);
      expect(new Set(descriptions).size, site).toBe(paths.length);
    }
  });

  it("says in the language of every site that there is no such page", async () => {
    for (const { localHost, locale } of sites) {
      const response = await page(localHost, "/nowhere").set("Accept", "text/html").expect(404);
      const $ = load(response.text);
      expect($("html").attr("lang")).toBe(locale);
      expect($("h1").text()).toMatch(/\S/);
      expect($("footer[data-fragment]")).toHaveLength(1);
    }
  });

  it("answers HEAD with the headers of GET where there is nothing", async () => {
    const headersOf = async (method: "get" | "head") => {
      const { headers, status } = await request(app)
        [method]("/nowhere")
        .set("Host", "de.localhost")
        .set("Accept", "text/html");
      expect(status).toBe(404);
      return Object.keys(headers).filter((name) => !["connection", "keep-alive", "transfer-encoding"].includes(name));
    };
    expect(await headersOf("head")).toEqual(await headersOf("get"));
  });

  it("answers programs without a body where there is nothing", async () => {
    const response = await request(app).get("/nowhere").set("Accept", "application/json").expect(404);
    expect(response.text).toBe("");
  });

  it("still comes when the footer can't be rendered", async () => {
    const broken = await createTestApp({
      demo: true,
      renderElement: () => Promise.reject(new Error("planted failure")),
    });
    const response = await request(broken.app).get("/").set("Host", "de.localhost").expect(200);
    expect(load(response.text)('footer [data-section="legal"]')).toHaveLength(1);
  });
});

describe("the view changer", () => {
  const change = (view: string) =>
    request(app).post("/view").type("form").send({ view }).set("Host", "de.localhost").redirects(0);

  it.each([
    ["Sec-Fetch-Site", "cross-site", 403],
    ["Sec-Fetch-Site", "same-site", 403],
    ["Sec-Fetch-Site", "same-origin", 303],
    ["Origin", "https://evil.example", 403],
    ["Origin", "null", 403],
    ["Origin", "http://de.localhost", 303],
  ])("takes a form from its own origin alone: %s: %s", async (header, value, status) => {
    const { headers } = await change("mobile").set(header, value).expect(status);
    expect(headers["set-cookie"] !== undefined).toBe(status === 303);
  });

  it.each([
    ["mobile", "smartphone", "MATCH", "width=device-width, initial-scale=1"],
    ["desktop", "desktop", "CLASSIC", "width=1280"],
  ])("keeps the choice %s, and the page follows it", async (view, platform, layout, viewport) => {
    const response = await change(view).expect(303);
    expect(String(response.headers["set-cookie"])).toMatch(
      new RegExp(`^platform=${platform}; Max-Age=2592000; Path=/; .*SameSite=Lax`),
    );
    const $ = load((await page("de.localhost").set("Cookie", `platform=${platform}`)).text);
    expect($("html").attr("data-platform")).toBe(layout);
    expect($("footer").attr("data-platform")).toBe(layout);
    expect($("meta[name=viewport]").attr("content")).toBe(viewport);
  });

  it.each([
    ["http://de.localhost/category/coffee?page=2", "/category/coffee?page=2"],
    ["http://evil.example/login", "/"],
    ["http://de.localhost//evil.example/", "/evil.example/"],
    ["http://de.localhost/\\evil.example/", "/evil.example/"],
    ["javascript:alert(1)", "/"],
    ["not an address", "/"],
    ["", "/"],
  ])("goes back to where the visitor was, never to another site: %s", async (referrer, location) => {
    const response = await change("mobile").set("Referer", referrer);
    expect(response.headers.location).toBe(location);
  });

  it("goes back by the host that a trusted proxy names", async () => {
    const { app: behindProxy } = await createTestApp({ trustProxy: ["loopback"] });
    const { headers } = await request(behindProxy)
      .post("/view")
      .type("form")
      .send({ view: "mobile" })
      .set({ Host: "fragments:3000", "X-Forwarded-Host": "de.localhost", Referer: "http://de.localhost/bag" });
    expect(headers.location).toBe("/bag");
  });

  it.each(["", "tablet", "__proto__", "constructor"])("answers 400 naming the field for %s", async (view) => {
    const response = await change(view);
    expect(response.status).toBe(400);
    expect(response.text).toBe("view must be mobile or desktop");
    expect(response.headers).not.toHaveProperty("set-cookie");
  });
});

describe.each(sites)("a mistake on a page of $site", ({ localHost, locale }) => {
  const asPeople = "text/html,application/xhtml+xml,*/*;q=0.8";

  it.each([
    ["a site that isn't", 400, "private, no-store", request(app).get("/login?site=XX")],
    [
      "a form on a page of somebody else",
      403,
      "private, no-store",
      request(app).post("/login").set("Sec-Fetch-Site", "cross-site"),
    ],
    [
      "a form that is too large",
      413,
      "no-store",
      request(app)
        .post("/view")
        .type("form")
        .send({ view: "x".repeat(9_000) }),
    ],
  ])("is answered to people by a kind page in their language: %s", async (_mistake, status, caching, asked) => {
    const response = await asked.set("Host", localHost).set("Accept", asPeople).expect(status);
    const $ = load(response.text);
    expect([$("html").attr("lang"), response.headers["cache-control"]]).toEqual([locale, caching]);
    expect($("h1").text()).toBe(texts.translator(locale, "page")("refused.heading"));
  });

  it("is answered to programs by its reason alone", async () => {
    const response = await page(localHost, "/login?site=XX").set("Accept", "*/*").expect(400);
    expect([response.type, response.text]).toEqual(["text/plain", expect.stringMatching(/^site must be one of/)]);
  });
});

describe("an error of our own", () => {
  async function createFailingApp(failures: number) {
    let left = failures;
    const forHost = (host?: string) => {
      if (left-- > 0) throw new Error("planted secret");
      return countries.forHost(host);
    };
    return createTestApp({ countries: { ...countries, forHost } });
  }

  it("is a page without a trace of the cause", async () => {
    const { app: failing } = await createFailingApp(1);
    const response = await request(failing).get("/").set("Host", "pl.localhost").expect(500);
    const $ = load(response.text);
    expect($("html").attr("lang")).toBe("pl-PL");
    expect($("h1").text()).toMatch(/\S/);
    expect(response.text).not.toMatch(/planted|Error/);
  });

  it("is an empty answer where not even that page can be made", async () => {
    const { app: failing, logs } = await createFailingApp(2);
    const response = await request(failing).get("/").set("Host", "pl.localhost").expect(500);
    expect(response.text).toBe("");
    expect(logs.map(({ msg }) => msg)).toContain("error page failed");
  });
});

const never = new Promise<never>(() => undefined);
const Slow = () => use(never);
const slow = createElement(Suspense, { fallback: null }, createElement(Slow));

describe("a slow render", () => {
  it("doesn't begin for a client that has left before", async () => {
    const response = new ServerResponse(new IncomingMessage(new Socket())).destroy();
    const rendered = renderStream(slow, { deadline: 1_000, signal: whileConnected(response), startAt: "shell" });
    await expect(rendered).rejects.toBeInstanceOf(ClientGoneError);
  });

  it("is given up at the deadline", async () => {
    await expect(renderStream(slow, { deadline: 20, startAt: "all" })).rejects.toThrow("not rendered within 20 ms");
  });

  it("is given up when the client goes", async () => {
    const controller = new AbortController();
    const rendered = renderStream(slow, { deadline: 5_000, startAt: "all", signal: controller.signal });
    await nextTurn();
    controller.abort(new Error("client gone"));
    await expect(rendered).rejects.toThrow("client gone");
  });
});
