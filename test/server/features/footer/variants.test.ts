import type { RequestListener } from "node:http";
import { load } from "cheerio";
import request from "supertest";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { second } from "../../../../client/rules/time.ts";
import type { Promotion } from "../../../../schemas/types.ts";
import { passTime } from "../../../support/pass-time.ts";
import { choose, header, signIn, summer } from "../../../support/preview-test.ts";
import { json, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const variant = (group: string, test = "footer-promotion") => `variant=${test}:${group}`;
const { app, listener, deps, service } = await createTestApp({ trustProxy: ["loopback"] });
await deps.promotions.start();
afterAll(deps.promotions.close);

const ask = (path: string, answer: RequestListener = listener) =>
  request(answer).get(`/fragments/${path}`).set("Host", "edge.internal");
const headlineIn = (html: string) => load(html)('[data-section="promotion"] h3').text();

/** The end of Cache-Control that bounds shared caches. */
const sharedFor = (headers: Record<string, string>) =>
  headers["cache-control"]?.replace(/^public, max-age=\d+, (s-maxage=\d+), (stale-while-revalidate=\d+),.*$/, "$1 $2");
const bounded = (seconds: number) => `s-maxage=${seconds} stale-while-revalidate=0`;
const unbounded = "s-maxage=300 stale-while-revalidate=600";

describe("the footer for a group of an active A/B test", () => {
  it.each(sites)("differs from that of another group in $site", async ({ site }) => {
    const [a, b] = [await ask(`footer/${site}?${variant("A")}`), await ask(`footer/${site}?${variant("B")}`)];
    expect(headlineIn(a.text)).toMatch(/\S/);
    expect(headlineIn(b.text)).toMatch(/\S/);
    expect(headlineIn(a.text)).not.toBe(headlineIn(b.text));
    expect(a.headers.etag).not.toBe(b.headers.etag);
    expect(b.headers["surrogate-key"]).toBe(
      `fragment-footer country-${site} build-${deps.assets.build} variant:footer-promotion:B`,
    );
    expect(b.headers).not.toHaveProperty("x-fragment-variant");
    expect(sharedFor(b.headers)).toBe(unbounded);
    expect(load(b.text)("footer").attr("data-variant")).toBe("footer-promotion:B");
  });

  it("is also that of its JSON, of its short address, and of a reduced footer", async () => {
    const html = await ask(`footer/AT?${variant("B")}`);
    const data = await ask(`footer/AT.json?${variant("B")}`);
    expect(data.body.html).toContain('data-variant="footer-promotion:B"');
    expect(headlineIn(data.body.html)).toBe(headlineIn(html.text));
    expect(data.headers.etag).toBe(html.headers.etag);
    expect(data.headers["surrogate-key"]).toBe(html.headers["surrogate-key"]);
    expect(data.body.tags).toContain("variant:footer-promotion:B");
    expect((await ask(`footer?site=AT&${variant("B")}`)).text).toBe(html.text);
    const reduced = await ask(`footer/AT?reduced=true&${variant("B")}`);
    expect(load(reduced.text)("footer").attr()).toMatchObject({
      "data-reduced": "true",
      "data-variant": "footer-promotion:B",
    });
    expect(headlineIn(reduced.text)).toBe(headlineIn(html.text));
  });

  it("differs from everybody's, even if both have the same promotion", async () => {
    const [everybody, a] = [await ask("footer/AT"), await ask(`footer/AT?${variant("A")}`)];
    expect(a.text.replace(' data-variant="footer-promotion:A"', "")).toBe(everybody.text);
    expect(a.headers.etag).not.toBe(everybody.headers.etag);
  });

  it("is answered from the cache as by Express, with 304 for its validator alone", async () => {
    const path = `footer/PL?${variant("B")}`;
    const first = await ask(path);
    const again = await ask(path);
    expect(again.headers["cache-status"]).toBe("storefront; hit");
    expect(again.text).toBe(first.text);
    for (const name of ["etag", "surrogate-key", "cache-control"])
      expect(again.headers[name]).toBe(first.headers[name]);
    const { etag = "" } = first.headers;
    expect((await ask(path).set("If-None-Match", etag)).status).toBe(304);
    expect((await ask(`footer/PL?${variant("A")}`).set("If-None-Match", etag)).status).toBe(200);
    expect((await ask("footer/PL").set("If-None-Match", etag)).status).toBe(200);
    const head = await request(listener).head(`/fragments/${path}`).set("Host", "edge.internal");
    expect([head.status, head.headers.etag]).toEqual([200, etag]);
  });

  it("is rendered anew without the cache", async () => {
    const { listener: own } = await createTestApp({ renderCache: false });
    for (let round = 0; round < 2; round++)
      for (const group of ["A", "B"]) {
        const { text, headers } = await ask(`footer/DE?${variant(group)}`, own);
        expect(load(text)("footer").attr("data-variant")).toBe(`footer-promotion:${group}`);
        expect(headers["surrogate-key"]).toContain(` variant:footer-promotion:${group}`);
      }
  });

  it("changes neither manifest nor fallback", async () => {
    for (const path of ["manifest.json", "fallback"]) {
      const [without, named] = [await ask(`footer/DE/${path}`), await ask(`footer/DE/${path}?${variant("B")}`)];
      expect(named.text).toBe(without.text);
      expect(named.headers.etag).toBe(without.headers.etag);
    }
  });

  it("gives way to what staff preview", async () => {
    const jar = await choose(app, await signIn(app, deps.store.db), summer, "A");
    const { text, headers } = await ask(`footer/DE?${variant("B")}`).set("Cookie", header(jar));
    expect(load(text)("footer").attr()).toMatchObject({ "data-preview-context": "true" });
    expect(text).not.toContain("data-variant");
    expect(headlineIn(text)).toBe(headlineIn((await ask("footer/DE")).text));
    expect(headers["cache-control"]).toBe("private, no-store");
  });
});

describe("a malformed variant", () => {
  it.each(["", "A", ":", "a:", ":a", "a:b:c", "a b:c", "a:ü", "a%0Ab:c", `a:${"b".repeat(65)}`, "x".repeat(300)])(
    "is 400 without a body: %j",
    async (value) => {
      for (const path of ["footer/DE", "footer/DE.json"]) {
        const { status, text, headers } = await ask(`${path}?variant=${encodeURIComponent(value)}`);
        expect([status, text]).toEqual([400, ""]);
        expect(headers["x-fragment-error"]).toMatch(/^variant must /);
        expect(headers["cache-control"]).toBe("no-store");
      }
    },
  );

  it("is one of two variants", async () => {
    expect((await ask(`footer/DE?${variant("A")}&${variant("B")}`)).status).toBe(400);
  });
});

describe("a variant whose test or group isn't active", () => {
  it.each([variant("C"), variant("B", "ended"), variant("b"), variant("B", "toString")])(
    "shows the footer of everybody: %s",
    async (query) => {
      const everybody = await ask("footer/TR");
      const { status, text, headers } = await ask(`footer/TR?${query}`);
      expect([status, text, headers.etag]).toEqual([200, everybody.text, everybody.headers.etag]);
      expect(headers["x-fragment-variant"]).toBe("none");
      expect(headers["x-fragment-state"]).toBe("fresh");
      expect(sharedFor(headers)).toBe(unbounded);
      expect(everybody.headers).not.toHaveProperty("x-fragment-variant");
      const tagsOf = async (address: string) => String((await ask(address)).body.tags);
      expect(await tagsOf("footer/TR.json")).not.toContain("variant:");
      expect(await tagsOf(`footer/TR.json?${query}`)).toContain(query.replace("=", ":"));
    },
  );

  it("makes no entry of the cache, however many ask", async () => {
    const prepare = async (query: object) => {
      const [footer] = service.fragments.fragments.filter(({ name }) => name === "footer");
      return await footer?.prepare({ ...query }, siteOf("DE"), { cookies: {} }, async () => undefined);
    };
    const everybody = await prepare({});
    for (let count = 0; count < 10_000; count++) {
      const unknown = await prepare({ variant: `unknown-${count}:group-${count}` });
      // The entry of everybody's footer; and no entry for the address.
      if (unknown?.key !== everybody?.key || !unknown?.hasUnknown) expect.fail(`${count}: ${unknown?.key}`);
    }
    await ask("footer/DE");
    for (let count = 0; count < 100; count++) {
      const { headers } = await ask(`footer/DE?${variant(String(count), "unknown")}`);
      expect(headers["cache-status"]).toBe("storefront; hit");
    }
  });
});

describe("a test that begins and ends", () => {
  const noon = Date.UTC(2027, 2, 1, 12);

  it("is shown in this time to the second, and caches of any footer with it end there", async () => {
    const store = await openTestStore(testLogger);
    const [validFrom, validTo] = [noon + 10 * second, noon + 70 * second];
    await store.db.insertInto("abTest").values({ name: "short", validFrom, validTo }).execute();
    await store.db.insertInto("abTestGroup").values({ test: "short", name: "A", position: 0 }).execute();
    vi.useFakeTimers({ toFake: ["Date"], now: noon });
    onTestFinished(() => void vi.useRealTimers());
    const { listener: own } = await createTestApp({ store });
    const shownAt = async (at: number, query: string) => {
      vi.setSystemTime(at);
      const { text, headers } = await ask(`footer/DE?${query}`, own);
      return [text.includes('data-variant="short:A"'), headers["x-fragment-variant"], sharedFor(headers)];
    };
    for (const [at, shown, seconds] of [
      [noon, false, 10],
      [noon + 500, false, 9],
      [validFrom - 1, false, 0],
      [validFrom, true, 60],
      [validFrom + 1, true, 59],
      [validTo - 1, true, 0],
    ] as const)
      expect(await shownAt(at, variant("A", "short"))).toEqual([shown, shown ? undefined : "none", bounded(seconds)]);
    expect(await shownAt(validTo, variant("A", "short"))).toEqual([false, "none", unbounded]);
    // The others know nothing of this test.
    for (const query of ["", variant("Z", "short")])
      expect(await shownAt(noon, query)).toEqual([false, query && "none" ? "none" : undefined, unbounded]);
  });
});

const coffee: Promotion = { headline: "Coffee", text: "A tenth off.", link: { url: "/coffee", text: "Discover" } };
const promoting = (headline: string): RequestListener =>
  json(JSON.stringify({ contentJSON: JSON.stringify({ ...coffee, headline }) }));

describe("the real promotion service", () => {
  it("is asked for a group, and answers for it", async () => {
    const stub = await startStub((incoming, response) =>
      promoting(`for ${incoming.url?.split("?")[1]}`)(incoming, response),
    );
    const { listener: own } = await createTestApp({ upstreams: { promotion: stub.url } });
    const shown = headlineIn((await ask(`footer/AT?${variant("B")}`, own)).text);
    expect(shown).toBe("for test=footer-promotion&group=B");
    expect(stub.requests.map(({ url, headers }) => [url, headers["x-site"], headers.cookie])).toEqual([
      ["/service/promotion/api/promotion/SHOP_FOOTER?test=footer-promotion&group=B", "AT", undefined],
    ]);
    for (const query of [variant("C"), variant("B", "ended"), ""]) await ask(`footer/AT?${query}`, own);
    expect(stub.requests).toHaveLength(1);
  });

  it("leaves the normal footer, which no cache keeps, until it answers; and then the last promotion for 50 s", async () => {
    const stub = await startStub(status(500));
    const { listener: own } = await createTestApp({ upstreams: { promotion: stub.url } });
    const show = () => ask(`footer/AT?${variant("B")}`, own);
    const without = await show();
    expect(without.text).toBe((await ask("footer/AT", own)).text);
    expect([without.headers["x-fragment-variant"], sharedFor(without.headers)]).toEqual(["none", bounded(0)]);
    stub.answer = promoting("for B");
    await vi.waitUntil(async () => headlineIn((await show()).text) === "for B", 4 * second);
    stub.answer = status(500);
    passTime(40 * second);
    expect(headlineIn((await show()).text)).toBe("for B");
    passTime(11 * second);
    expect((await show()).headers["x-fragment-variant"]).toBe("none");
  });

  it("delays no footer until its deadline", async () => {
    const stub = await startStub(() => undefined);
    const { listener: own } = await createTestApp({ upstreams: { promotion: stub.url } });
    const began = performance.now();
    const { headers } = await ask(`footer/AT?${variant("B")}`, own);
    expect(performance.now() - began).toBeLessThan(1.9 * second);
    expect([headers["x-fragment-variant"], sharedFor(headers)]).toEqual(["none", bounded(0)]);
  });
});

describe("the real A/B test service", () => {
  const tests = [{ name: "real", groups: [{ name: "A" }, { name: "B" }] }];

  /** A service with tests until a time. */
  const until =
    (end: number): RequestListener =>
    (incoming, response) => {
      const at = Date.parse(new URL(incoming.url ?? "", "http://abtest").searchParams.get("time") ?? "");
      json(JSON.stringify(at < end ? tests : []))(incoming, response);
    };

  it("decides which tests are active", async () => {
    const reversed = tests.map(({ name, groups }) => ({ name, groups: groups.toReversed() }));
    const stub = await startStub((incoming, response) =>
      json(JSON.stringify(stub.requests.length > 1 ? reversed : tests))(incoming, response),
    );
    const { listener: own } = await createTestApp({ upstreams: { abtest: stub.url } });
    expect((await ask(`footer/AT?${variant("B", "real")}`, own)).text).toContain('data-variant="real:B"');
    for (const query of [variant("C", "real"), variant("B")])
      expect((await ask(`footer/AT?${query}`, own)).headers["x-fragment-variant"]).toBe("none");
    // Now, and a little later.
    expect(stub.requests).toHaveLength(2);
  });

  it("also tells when a test will end, to the second", async () => {
    const now = Date.UTC(2027, 2, 1, 12) + 300;
    vi.useFakeTimers({ toFake: ["Date"], now });
    onTestFinished(() => void vi.useRealTimers());
    const stub = await startStub(until(now + 123_456));
    const { listener: own } = await createTestApp({ upstreams: { abtest: stub.url } });
    const shownAt = async (at: number) => {
      vi.setSystemTime(at);
      const { text, headers } = await ask(`footer/AT?${variant("A", "real")}`, own);
      return [text.includes('data-variant="real:A"'), sharedFor(headers)];
    };
    await vi.waitUntil(async () => (await shownAt(now))[0], 4 * second);
    expect(await shownAt(now + 700)).toEqual([true, bounded(123)]);
    expect(await shownAt(now + 123_000)).toEqual([true, bounded(0)]);
    expect(await shownAt(now + 124_000)).toEqual([false, unbounded]);
    expect(stub.requests.length).toBeLessThan(20);
  });

  it("leaves the tests for 50 s when it fails", async () => {
    const stub = await startStub(until(Infinity));
    const { listener: own } = await createTestApp({ upstreams: { abtest: stub.url } });
    const isShown = async () => (await ask(`footer/AT?${variant("B", "real")}`, own)).text.includes("data-variant");
    expect(await isShown()).toBe(true);
    stub.answer = status(503);
    passTime(40 * second);
    expect(await isShown()).toBe(true);
    passTime(11 * second);
    expect(await isShown()).toBe(false);
  });
});
