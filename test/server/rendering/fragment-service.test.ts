import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { IncomingMessage, type RequestListener } from "node:http";
import { Socket } from "node:net";
import { basename } from "node:path";
import express from "express";
import { createElement } from "react";
import request from "supertest";
import { describe, expect, it, vi } from "vitest";
import type { FragmentData } from "../../../schemas/types.ts";
import { createAssets, readBuild } from "../../../server/platform/assets.ts";
import { assetsFolder } from "../../../server/platform/paths.ts";
import { createValidator } from "../../../server/platform/validate.ts";
import { renderStream } from "../../../server/rendering/render-element.ts";
import { footerAt } from "../../../server/sites/footer-versions.ts";
import { nextBuild } from "../../support/next-build.ts";
import { serve } from "../../support/start-stub.ts";
import {
  countries,
  createTestApp,
  siteOf,
  sites,
  type TestApp,
  type TestChanges,
  texts,
} from "../../support/test-app.ts";

const publicCaching = "public, max-age=60, s-maxage=300, stale-while-revalidate=600, stale-if-error=86400";
/** Every fragment, by the schema of its parameters. */
const names = globSync("schemas/*-parameters.schema.json").map((file) => basename(file, "-parameters.schema.json"));

const { listener: app, deps } = await createTestApp();
const uncached = await createTestApp({ renderCache: false });
const appWith = (renderCache: boolean) => (renderCache ? app : uncached.listener);
/** Sends a request as an edge does: always for the same host, whatever the port of this app. */
const get = (app: RequestListener | string, path: string) => request(app).get(path).set("Host", "edge.internal");
/** Hashes the bytes that the service sends for a file. */
async function integrityOf(name: string): Promise<string> {
  const { body, text } = await get(app, deps.assets.url(name));
  return `sha384-${createHash("sha384")
    .update(text ?? body)
    .digest("base64")}`;
}

describe("the footer of every site", () => {
  it("is complete and carries the headers that edges and composers read", async () => {
    for (const { site } of sites) {
      const response = await get(app, `/fragments/footer?site=${site}`).expect(200);
      expect(response.headers, site).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": publicCaching,
        "podlet-version": expect.stringMatching(/^[0-9a-f]{12}$/),
        "x-fragment-state": "fresh",
        "x-robots-tag": "noindex",
        "surrogate-key": `fragment-footer country-${site} build-${deps.assets.build}`,
      });
      expect(response.headers.etag, site).toMatch(/^"[\w-]{27}"$/);
      expect(response.headers["server-timing"], site).toMatch(/^render;dur=[\d.]+, cache;desc=miss$/);
      for (const name of ["set-cookie", "vary", "content-encoding"])
        expect(response.headers, site).not.toHaveProperty(name);
      expect(response.text, site).toMatch(/^<footer [^>]*data-fragment="footer".*<\/footer>$/s);
    }
  });

  it("is the same by path, by query and by host", async () => {
    for (const { site, localHost } of sites) {
      const byQuery = await get(app, `/fragments/footer?site=${site}`);
      const byPath = await get(app, `/fragments/footer/${site}`);
      const byHost = await get(app, "/fragments/footer").set("Host", localHost);
      expect([byPath.text, byHost.text], site).toEqual([byQuery.text, byQuery.text]);
      expect(byPath.headers.etag, site).toBe(byQuery.headers.etag);
    }
  });

  it.each(["", "/fallback", "/manifest.json"])(
    "is of the host that caches know, not of a forwarded one: %s",
    async (part) => {
      const { listener: behindProxy } = await createTestApp({ trustProxy: ["loopback"], defaultSite: "AT" });
      const [first, second] = sites;
      for (const host of [second?.localHost ?? "", "unknown.example"]) {
        const plain = await get(behindProxy, `/fragments/footer${part}`).set("Host", host);
        const forwarded = await get(behindProxy, `/fragments/footer${part}`).set({
          Host: host,
          "X-Forwarded-Host": first?.localHost ?? "",
        });
        expect([forwarded.status, forwarded.text], host).toEqual([plain.status, plain.text]);
      }
    },
  );

  it("has a fallback that needs nothing, with the links the law asks for", async () => {
    for (const { site, footer } of sites) {
      const { text } = await get(app, `/fragments/footer/${site}/fallback`).expect(200);
      expect(text, site).toContain(`data-site="${site}"`);
      expect(text, site).toContain('data-section="legal"');
      const isTaxed = footerAt(footer, Date.now()).salesTax !== undefined;
      expect(text.includes('data-section="sales-tax"'), site).toBe(isTaxed);
      expect(text, site).not.toContain('data-section="teasers"');
    }
  });
});

describe("a fragment's bytes", () => {
  it("are equal on replicas, with and without the cache", async () => {
    const replicas = [app, (await createTestApp()).app, uncached.listener];
    const answers = await Promise.all(replicas.map((replica) => get(replica, "/fragments/footer?site=CH_FR")));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
  });

  it.each([
    { "X-Forwarded-For": "203.0.113.9", "Accept-Language": "tr" },
    { Cookie: "session=1; preview=0; xc-app=old" },
    { "User-Agent": "Mobile Safari", "Accept-Encoding": "br, gzip" },
    { Host: "evil.example" },
    { "X-Forwarded-Host": "evil.example" },
  ])("don't depend on what else a request carries: %o", async (headers) => {
    const plain = await get(uncached.listener, "/fragments/footer?site=DE");
    const other = await get(uncached.listener, "/fragments/footer?site=DE").set(headers);
    expect(other.text).toBe(plain.text);
    expect(other.headers.etag).toBe(plain.headers.etag);
  });

  it.each(names)("have no inline script, style or nonce, and load nothing early (%s)", async (name) => {
    const { text } = await get(app, `/fragments/${name}?site=DE`);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(text).not.toMatch(/<style|style=|nonce|\son\w+=|rel="preload"/);
  });

  it("keep different parameters apart", async () => {
    const queries = [
      "",
      "reduced=true",
      "platform=MATCH",
      "newsletter=false",
      "preview=true",
      "assets=none",
      "links=absolute",
    ];
    const answers = await Promise.all(queries.map((query) => get(app, `/fragments/footer?site=DE&${query}`)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(queries.length);
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(queries.length);
  });

  it("leave the assets out with assets=none, and the head fragment brings those of all, once each", async () => {
    const bare = await get(app, "/fragments/footer?site=DE&assets=none");
    expect(bare.text).not.toMatch(/<link|<script/);
    const needed = await Promise.all(
      names.map(async (name) => {
        const { body } = await get(app, `/fragments/${name}/DE/manifest.json`);
        return [...body.css, ...body.js].map(({ value }) => new URL(value).pathname);
      }),
    );
    const { text } = await get(app, "/fragments/head?site=DE");
    const integrity = 'integrity="sha384-[^"]{64}"';
    const styles = `(<link rel="stylesheet" href="[^"]+" ${integrity}/>)+`;
    expect(text).toMatch(new RegExp(`^${styles}(<script src="[^"]+" ${integrity} type="module"></script>)+$`));
    const brought = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
    expect(brought.sort()).toEqual([...new Set(needed.flat())].sort());
  });
});

describe("a fragment as data", () => {
  const validate = createValidator<FragmentData>("fragment-data");

  it.each(names)("has the element and its tags apart, with the headers of the HTML: %s", async (name) => {
    const html = await get(app, `/fragments/${name}/CH_FR`);
    const { body, headers } = await get(app, `/fragments/${name}/CH_FR.json`).expect(200);
    expect(validate(body)).toMatchObject({ valid: true });
    const bare = await get(app, `/fragments/${name}/CH_FR?assets=none`);
    const tags = await get(app, "/fragments/head/CH_FR");
    expect(body).toMatchObject({ fragment: name, site: "CH_FR", locale: "fr-CH", state: "fresh" });
    expect(body.html).toBe(name === "head" ? "" : bare.text);
    for (const tag of body.head.match(/<(link|script)[^>]+>/g)) expect(tags.text).toContain(tag);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    for (const header of ["cache-control", "etag", "surrogate-key", "link", "podlet-version", "x-fragment-state"])
      expect(headers[header], header).toBe(html.headers[header]);
    const again = get(app, `/fragments/${name}/CH_FR.json`).set("If-None-Match", String(headers.etag));
    expect(await again).toMatchObject({ status: 304, text: "" });
  });

  it.each([true, false])("is answered by the cache as the HTML is (cache %s)", async (renderCache) => {
    const renderElement = vi.fn(renderStream);
    const { listener: app, deps } = await createTestApp({ renderElement, renderCache });
    const path = "/fragments/footer/HU";
    const html = await get(app, path);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await get(app, `${path}.json`).expect(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.html).toBe((await get(app, `${path}?assets=none`)).text);
    const statuses = answers.map(({ headers }) => headers["cache-status"]);
    expect(new Set(statuses)).toEqual(new Set([renderCache ? "storefront; hit" : "storefront; fwd=bypass"]));
    expect(renderElement).toHaveBeenCalledTimes(renderCache ? 2 : 5);
    const metrics = await deps.metrics.registry.metrics();
    const cache = renderCache ? "hit" : "bypass";
    expect(metrics).toMatch(
      new RegExp(`fragment_responses_total\\{[^}]*cache="${cache}"[^}]*\\} ${renderCache ? 3 : 5}`),
    );
    const etag = String(answers[2]?.headers.etag);
    expect(etag).toBe(html.headers.etag);
    const again = await get(app, `${path}.json`).set("If-None-Match", etag);
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
    const head = await request(app).head(`${path}.json`).set("Host", "edge.internal").expect(200);
    for (const name of ["etag", "content-length", "content-type", "cache-control"])
      expect(head.headers[name], name).toBe(answers[2]?.headers[name]);
  });

  it("names the assets' origin in its policy, and takes the fragment's parameters", async () => {
    const { listener: remote } = await createTestApp({
      assets: createAssets(await readBuild(assetsFolder), "https://cdn.shop.example/assets"),
    });
    const { body } = await get(remote, "/fragments/footer/DE.json?reduced=true");
    expect(body.html).toContain('data-reduced="true"');
    expect(body.contentSecurityPolicy).toEqual({
      "script-src": ["https://cdn.shop.example"],
      "style-src": ["https://cdn.shop.example"],
      "img-src": ["'self'", "https://cdn.shop.example"],
      "connect-src": ["'self'"],
      "form-action": ["'self'"],
    });
    expect(body.head).toMatch(/<script src="https:[^>]+ crossorigin="anonymous">/i);
    const bare = await get(app, "/fragments/footer/DE.json?assets=none").expect(200);
    expect(bare.body).toMatchObject({ head: "", styles: [], scripts: [], html: expect.stringMatching(/^<footer /) });
    const wrong = await get(app, "/fragments/footer/DE.json?reduced=maybe").expect(400);
    expect([wrong.text, wrong.headers["x-fragment-error"]]).toEqual(["", "reduced must be boolean"]);
  });

  it("is the fallback if the fragment can't be rendered", async () => {
    const { listener: failing } = await createTestApp({ renderElement: () => Promise.reject(new Error("planted")) });
    const { body, headers } = await get(failing, "/fragments/footer/DE.json").expect(200);
    expect([body.state, headers["x-fragment-state"]]).toEqual(["fallback", "fallback"]);
    expect(body.html).toMatch(/^<footer (?!.*<link).*<\/footer>$/s);
  });
});

describe("conditional and partial requests", () => {
  it.each([true, false])("answer 304 to the ETag they gave (cache %s)", async (renderCache) => {
    const { headers } = await get(appWith(renderCache), "/fragments/footer?site=HU");
    const etag = String(headers.etag);
    const again = await get(appWith(renderCache), "/fragments/footer?site=HU").set("If-None-Match", etag);
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
  });

  it.each([true, false])("answer an ETag of another build in full (cache %s)", async (renderCache) => {
    const next = await createTestApp({ renderCache, assets: { ...deps.assets, build: "the-next-build" } });
    const { headers } = await get(appWith(renderCache), "/fragments/footer?site=HU");
    const answer = await get(next.listener, "/fragments/footer?site=HU").set("If-None-Match", String(headers.etag));
    expect(answer.status).toBe(200);
  });

  it.each([true, false])("answer HEAD with the headers alone (cache %s)", async (renderCache) => {
    const head = await request(appWith(renderCache)).head("/fragments/footer?site=HU").expect(200);
    expect(head.text).toBeUndefined();
    expect(head.headers.etag).toBe((await get(appWith(renderCache), "/fragments/footer?site=HU")).headers.etag);
  });
});

describe.each(["manifest.json", "fallback"])("the %s of a fragment", (part) => {
  it.each(names)("is not sent again while it is the same, on any replica: %s", async (name) => {
    const path = `/fragments/${name}/AT/${part}`;
    const { text, headers } = await get(app, path).expect(200);
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
    const again = await get(uncached.listener, path).set("If-None-Match", String(headers.etag)).expect(304);
    expect([again.text, again.headers.etag, again.headers["cache-control"]]).toEqual(["", headers.etag, publicCaching]);
    await get(app, path).set("If-None-Match", '"another"').expect(200);
    const head = await request(app).head(path).set("Host", "edge.internal").expect(200);
    expect(head.headers.etag).toBe(headers.etag);
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  });
});

describe("the cache", () => {
  it("renders once for concurrent requests, and reports in Cache-Status how each was answered", async () => {
    const allArrived = Promise.withResolvers<void>();
    const renderElement = vi.fn(async (...options: Parameters<typeof renderStream>) => {
      await allArrived.promise;
      return renderStream(...options);
    });
    const { listener: app } = await createTestApp({ renderElement });
    let arrived = 0;
    const counting = express().use((request, response) => {
      app(request, response);
      arrived += 1;
      if (arrived === 3) allArrived.resolve();
    });
    const path = "/fragments/footer?site=SK";
    const together = await Promise.all([get(counting, path), get(counting, path), get(counting, path)]);
    const later = await get(app, path);
    expect(renderElement).toHaveBeenCalledTimes(1);
    expect(together.map(({ headers }) => headers["cache-status"]).sort()).toEqual([
      "storefront; fwd=miss; collapsed",
      "storefront; fwd=miss; collapsed",
      "storefront; fwd=miss; stored",
    ]);
    expect(later.headers["cache-status"]).toBe("storefront; hit");
  });

  it("answers the same again and again, to each request under its own id", async () => {
    const { listener: app, deps } = await createTestApp();
    const path = "/fragments/footer/CZ";
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await get(app, path).expect(200));
    const [, second, ...later] = answers.map(({ headers, text }) => {
      const { date, "server-timing": timing, "x-request-id": id, ...others } = headers;
      expect(timing).toMatch(/^render;dur=\d+\.\d, cache;desc=(miss|hit)$/);
      return { headers: others, text };
    });
    expect(second?.headers["cache-status"]).toBe("storefront; hit");
    for (const answer of later) expect(answer).toEqual(second);
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(answers.length);
    const metrics = await deps.metrics.registry.metrics();
    expect(metrics).toMatch(/fragment_responses_total\{[^}]*cache="hit"[^}]*\} 3/);
    expect(metrics).toContain('fragment_render_duration_seconds_count{fragment="footer"} 1');
  });

  it("renders every request when it is off", async () => {
    const renderElement = vi.fn(renderStream);
    const { listener: app } = await createTestApp({ renderElement, renderCache: false });
    const first = await get(app, "/fragments/footer?site=SK");
    await get(app, "/fragments/footer?site=SK");
    expect(renderElement).toHaveBeenCalledTimes(2);
    expect(first.headers["cache-status"]).toBe("storefront; fwd=bypass");
    expect(first.headers["content-length"]).toBe(String(Buffer.byteLength(first.text)));
  });

  it("has one entry for requests that differ in unknown parameters only", async () => {
    const renderElement = vi.fn(renderStream);
    const { listener: app } = await createTestApp({ renderElement });
    for (let i = 0; i < 20; i++) await get(app, `/fragments/footer?site=AT&utm=${i}`).expect(200);
    expect(renderElement).toHaveBeenCalledTimes(1);
  });
});

/** Creates the function that finds out whether an app takes a request for one that it can answer without a render. */
function knowledgeOf({ service }: TestApp) {
  const host = "edge.internal";
  return (url: string, headers = {}, method = "GET") =>
    service.classify(Object.assign(new IncomingMessage(new Socket()), { method, url, headers: { host, ...headers } }))
      .load === "cached";
}

it.each([true, false])("knows what it can answer without a render (cache %s)", async (renderCache) => {
  const own = await createTestApp({ renderCache });
  const { listener: app } = own;
  const isKnown = knowledgeOf(own);
  const [footer, block] = ["/fragments/footer?site=AT", "/fragments/newsletter/AT?originAddition=bag"];
  const data = "/fragments/footer/AT.json";
  const unknown = `${footer}&utm=1`;
  const long = footer + "&".repeat(300);
  for (const url of [footer, data, block, unknown, long]) {
    expect(isKnown(url)).toBe(false);
    await get(app, url).expect(200);
  }
  expect([footer, data, block].map((url) => isKnown(url))).toEqual([renderCache, renderCache, renderCache]);
  expect(isKnown(footer, { cookie: "a=b" })).toBe(renderCache);
  expect(isKnown(footer, { cookie: "affiliateNumber=1" })).toBe(false);
  expect(isKnown(footer, {}, "POST")).toBe(false);
  expect([unknown, long].map((url) => isKnown(url))).toEqual([false, false]);
  expect(isKnown(footer, { cookie: "PreviewContext=a" })).toBe(false);
  const prepared = ["/fragments/footer/AT/fallback?a", "/fragments/head/manifest.json", "/fragments/footer/fallback"];
  expect(prepared.filter((url) => !isKnown(url))).toEqual([]);
  const madeUp = ["/fragments/made-up/fallback", "/fragments/footer/XX/manifest.json", "/fragments/footer?x=/fallback"];
  expect(madeUp.filter((url) => isKnown(url))).toEqual([]);
});

it("remembers at most 100 addresses of a site, and 20 with free text beside them", async () => {
  const own = await createTestApp({ countries: { ...countries, sites: [siteOf("AT")] } });
  const isKnown = knowledgeOf(own);
  const origin = `http://127.0.0.1:${await serve(own.listener)}`;
  const ask = (path: string) => get(origin, path).expect(200);
  const addresses = (count: number, path: string) =>
    Array.from({ length: count }, (_, index) => path + "&".repeat(index));
  const blocks = addresses(21, "/fragments/newsletter/AT?originAddition=bag");
  const footers = addresses(101, "/fragments/footer/AT?&");
  for (const path of [...footers.slice(0, 100), ...blocks]) await ask(path);
  expect(blocks.map((path) => isKnown(path))).toEqual([false, ...Array(20).fill(true)]);
  expect(footers.map((path) => isKnown(path))).toEqual([...Array(100).fill(true), false]);
  await ask(String(footers.at(-1)));
  expect(footers.map((path) => isKnown(path))).toEqual([false, ...Array(100).fill(true)]);
});

describe("a visitor's cookie", () => {
  it.each(["affiliateNumber=4711", "xc-app=new", "a=b; affiliateNumber="])(
    "reduces the footer for them alone: %s",
    async (cookie) => {
      const reduced = await get(app, "/fragments/footer?site=DE").set("Cookie", cookie);
      expect(reduced.headers["cache-control"]).toBe("private, no-store");
      expect(reduced.headers).not.toHaveProperty("surrogate-key");
      expect(reduced.text).toContain('data-reduced="true"');
      expect(reduced.text).not.toContain('data-section="teasers"');
      const asked = await get(app, "/fragments/footer?site=DE&reduced=true");
      expect(asked.text).toBe(reduced.text);
      expect(asked.headers["cache-control"]).toBe(publicCaching);
      const again = await get(app, "/fragments/footer?site=DE&reduced=true");
      expect(again.headers).toMatchObject({
        etag: asked.headers.etag,
        "surrogate-key": asked.headers["surrogate-key"],
      });
    },
  );

  it("changes nothing where the footer is reduced anyway", async () => {
    const response = await get(app, "/fragments/footer?site=DE&reduced=true").set("Cookie", "affiliateNumber=1");
    expect(response.headers["cache-control"]).toBe(publicCaching);
  });
});

describe("a wrong request", () => {
  it.each([
    ["/fragments/footer", "site is missing"],
    ["/fragments/footer?site=XX", /^site must be one of .*\bTR\b/],
    ["/fragments/footer?site=DE&site=AT", /^site must be one of/],
    ["/fragments/footer/DE?site=AT", "site is named twice, differently"],
    ["/fragments/footer/XX", /^site must be one of/],
    ["/fragments/footer?site=DE&reduced=maybe", "reduced must be boolean"],
    ["/fragments/footer?site=DE&platform=match", "platform must be one of MATCH, TABLET, CLASSIC"],
    ["/fragments/footer?site=DE&newsletter=true&newsletter=false", "newsletter must be boolean"],
    ["/fragments/footer?site=__proto__", /^site must be one of/],
    ["/fragments/head?site=1", /^site must be one of/],
  ])("is 400 with an empty body and its reason in a header: %s", async (path, reason) => {
    const response = await get(app, path).set("Host", "edge.internal");
    expect(response.status).toBe(400);
    expect(response.text).toBe("");
    expect(response.headers["x-fragment-error"]).toMatch(reason instanceof RegExp ? reason : new RegExp(`^${reason}$`));
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  it.each([
    "/fragments/unknown?site=DE",
    "/fragments/",
    "/fragments/footer/DE/more",
    "/fragments/constructor?site=DE",
    "/fragments/unknown/manifest.json",
  ])("is 404 with an empty body for an unknown name: %s", async (path) => {
    const response = await get(app, path);
    expect(response.status).toBe(404);
    expect(response.text).toBe("");
  });
});

describe("a failed render", () => {
  const broken = () => Promise.reject(new TypeError("planted failure"));

  it.each([true, false])(
    "answers the fallback, briefly cached, with one log line and one metric (cache %s)",
    async (renderCache) => {
      const { listener: app, logs, deps } = await createTestApp({ renderElement: broken, renderCache });
      const response = await get(app, "/fragments/footer?site=PL");
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({ "x-fragment-state": "fallback", "cache-control": "public, max-age=5" });
      expect(response.headers).not.toHaveProperty("etag");
      expect(response.text).toBe((await get(app, "/fragments/footer/PL/fallback")).text);
      expect(logs.filter(({ msg }) => msg === "fragment rendering failed")).toEqual([
        expect.objectContaining({ err: expect.objectContaining({ type: "TypeError" }) }),
      ]);
      expect(await deps.metrics.registry.metrics()).toMatch(/fragment_responses_total\{[^}]*state="fallback"[^}]*\} 1/);
    },
  );

  it("has its fallback ready, and the start fails for one that can't be rendered", async () => {
    const { fragments } = (await createTestApp()).service;
    const element = vi.fn(() => createElement("p", null, "hello"));
    const fallbacks = () => [{ from: -Infinity, key: "", build: () => ({ props: {}, element }) }];
    const sample = { ...fragments.head, name: "sample", fallbacks };
    await fragments.renderer.prepareFallbacks([sample], siteOf("DE"));
    element.mockImplementation(() => {
      throw new Error("planted failure");
    });
    expect(String((await fragments.renderer.renderFallback(sample, siteOf("DE"))).body)).toBe("<p>hello</p>");
    const prepared = fragments.renderer.prepareFallbacks([{ ...sample, name: "broken" }], siteOf("DE"));
    await expect(prepared).rejects.toThrow("planted failure");
  });

  it("answers the last good one once there was one", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(1_000);
    try {
      let fail = false;
      const { listener: app, logs } = await createTestApp({
        renderElement: (...options) => (fail ? broken() : renderStream(...options)),
      });
      for (const form of ["?site=PL", "/PL.json"]) await get(app, `/fragments/footer${form}`);
      const good = await get(app, "/fragments/footer?site=PL");
      fail = true;
      vi.advanceTimersByTime(61_000);
      const stale = await get(app, "/fragments/footer?site=PL");
      expect(stale.status).toBe(200);
      expect(stale.text).toBe(good.text);
      expect(stale.headers).toMatchObject({ "x-fragment-state": "stale", "cache-control": "public, max-age=5" });
      expect((await get(app, "/fragments/footer/PL.json")).body.state).toBe("stale");
      expect(logs.filter(({ msg }) => msg === "fragment rendering failed")).toHaveLength(1);
      fail = false;
      expect((await get(app, "/fragments/footer?site=PL")).headers["x-fragment-state"]).toBe("fresh");
      expect(logs.filter(({ msg }) => msg === "fragment rendering recovered")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("composers", () => {
  it.each(["/fragments/footer/AT/manifest.json", "/fragments/footer/manifest.json?site=AT"])(
    "find a Podium manifest: %s",
    async (path) => {
      const { body, headers } = await get(app, path).set("Host", "evil.example").expect(200);
      expect(body).toMatchObject({ name: "footer", version: headers["podlet-version"] });
      expect(new URL(body.content, `http://edge${path}`).pathname).toBe("/fragments/footer/AT");
      expect(new URL(body.fallback, `http://edge${path}`).pathname).toBe("/fragments/footer/AT/fallback");
      const file = async (name: string) => {
        const value = `${countries.get("AT")?.origin}${deps.assets.url(name)}`;
        return { value, integrity: await integrityOf(name), crossorigin: "anonymous" };
      };
      expect(body.css).toEqual([{ ...(await file("footer.css")), type: "text/css", rel: "stylesheet" }]);
      expect(body.js).toEqual([{ ...(await file("boot.js")), type: "module" }]);
    },
  );

  it("get another version with another manifest or fallback, and the same with the files of another build", async () => {
    const build = await readBuild(assetsFolder);
    const versionOf = async (changes: TestChanges, site = "DE") => {
      const { listener: app } = await createTestApp(changes);
      const answers = ["", "/manifest.json", "/fallback", ".json"].map((path) =>
        get(app, `/fragments/footer/${site}${path}`),
      );
      const versions = (await Promise.all(answers)).map(({ headers }) => headers["podlet-version"]);
      expect(new Set(versions).size).toBe(1);
      return versions[0];
    };
    const version = await versionOf({});
    expect(await versionOf({ assets: createAssets(nextBuild(build)) })).toBe(version);
    const others = [
      versionOf({}, "AT"),
      versionOf({ assets: createAssets(build, "https://cdn.shop.example/assets") }),
      versionOf({ texts: { ...texts, translator: () => (key) => `another ${key}` } }),
    ];
    expect(new Set([version, ...(await Promise.all(others))]).size).toBe(4);
  });

  it("find the default site's manifest and fallback when they name none", async () => {
    const { listener: app } = await createTestApp({ defaultSite: "TR" });
    const { body } = await get(app, "/fragments/footer/manifest.json").set("Host", "layout.internal");
    expect(body.content).toMatch(/\/fragments\/footer\/TR$/);
    const fallback = await get(app, "/fragments/footer/fallback").set("Host", "layout.internal");
    expect(fallback.text).toContain('data-site="TR"');
  });

  it("find the assets in a Link header without commas inside a link, and without quotes inside Podium's", async () => {
    const { headers } = await get(app, "/fragments/footer?site=DE");
    const origin = countries.get("DE")?.origin;
    const [style, script] = await Promise.all([integrityOf("footer.css"), integrityOf("boot.js")]);
    expect(String(headers.link).split(", ")).toEqual([
      `<${deps.assets.url("footer.css")}>; rel=preload; as=style; integrity="${style}"`,
      `<${deps.assets.url("boot.js")}>; rel=modulepreload; integrity="${script}"`,
      `<${origin}${deps.assets.url("footer.css")}>; rel=stylesheet; type=text/css; asset-type=style; integrity=${style}; crossorigin=anonymous`,
      `<${origin}${deps.assets.url("boot.js")}>; type=module; asset-type=script; integrity=${script}; crossorigin=anonymous`,
    ]);
  });
});
