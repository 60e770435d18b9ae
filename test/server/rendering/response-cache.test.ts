import { createElement } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { minute } from "../../../client/rules/time.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { defineFragment, type FragmentVariant, staticData } from "../../../server/rendering/fragment.ts";
import { renderStream } from "../../../server/rendering/render-element.ts";
import { cacheStatus, createResponseCache, serverTiming } from "../../../server/rendering/response-cache.ts";
import { context, siteOf, sites } from "../../support/test-app.ts";

const nobody = async () => undefined;
const site = siteOf("AT");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  // The library takes an entry of time 0 for one that never expires.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a cache whose renders a test can count, hold and fail. */
function openCache({ renderCache = true } = {}) {
  const metrics = createMetrics();
  const renderElement = vi.fn(renderStream);
  const env = { ...context.env, renderCache };
  const cache = createResponseCache({ ...context, env, metrics, renderElement, previewOf: nobody, sessionOf: nobody });
  return { ...cache, metrics, renderElement };
}

/** Prepares a variant that shows a text. */
async function variantOf(text: string, changes: Partial<FragmentVariant> = {}): Promise<FragmentVariant> {
  const fragment = defineFragment<object, { text: string }>({
    name: "header",
    assets: { styles: [], scripts: [] },
    data: staticData,
    props: () => ({ text }),
    render: (props) => createElement("p", null, props.text),
    fallbackParameters: {},
  });
  return { ...(await fragment.prepare({}, site, { cookies: {} }, nobody)), ...changes };
}

const rendersIn = async ({ renders }: ReturnType<typeof createMetrics>) => {
  const { values } = await renders.get();
  return values.find(({ metricName }) => metricName?.endsWith("_count"));
};

describe("a variant", () => {
  it("is rendered once a minute, however many ask", async () => {
    const { fetch, metrics, renderElement } = openCache();
    const variant = await variantOf("hello");
    const together = await Promise.all([fetch(variant), fetch(variant), fetch(variant)]);
    expect(together.map(({ body, state, cache }) => [String(body), state, cache])).toEqual([
      ["<p>hello</p>", "fresh", "miss"],
      ["<p>hello</p>", "fresh", "collapsed"],
      ["<p>hello</p>", "fresh", "collapsed"],
    ]);
    vi.advanceTimersByTime(minute - 1);
    expect(await fetch(variant)).toMatchObject({ cache: "hit", etag: together[0]?.etag });
    expect(renderElement).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2);
    expect(await fetch(variant)).toMatchObject({ cache: "miss", etag: together[0]?.etag });
    expect(renderElement).toHaveBeenCalledTimes(2);
    expect(await rendersIn(metrics)).toMatchObject({ value: 2, labels: { fragment: "header" } });
  });

  it("has another ETag with other props", async () => {
    const { fetch } = openCache();
    const [one, other] = [await variantOf("one", { key: "one" }), await variantOf("other", { key: "other" })];
    expect((await fetch(one)).etag).not.toBe((await fetch(other)).etag);
  });

  it("can be looked at without a render, also when it has become old", async () => {
    const { fetch, peek, renderElement } = openCache();
    const variant = await variantOf("hello");
    expect(peek(variant)).toBeUndefined();
    await fetch(variant);
    expect(peek(variant)).toMatchObject({ isFresh: true, entry: { body: Buffer.from("<p>hello</p>") } });
    vi.advanceTimersByTime(minute + 1);
    for (let i = 0; i < 2; i++)
      expect(peek(variant)).toMatchObject({ isFresh: false, entry: { body: Buffer.from("<p>hello</p>") } });
    expect(renderElement).toHaveBeenCalledTimes(1);
  });
});

it("a body is converted to the form that a page asks for", async () => {
  const { convert, fetch } = openCache();
  const variant = await variantOf("hello");
  const rendered = await fetch(variant);
  expect(convert(variant, "html", rendered)).toBe(rendered.body);
  const data = JSON.parse(String(convert(variant, "json", rendered)));
  expect(data).toMatchObject({ fragment: "header", site: "AT", state: "fresh", html: "<p>hello</p>" });
});

describe("after a failed render", () => {
  const failure = new TypeError("planted failure");

  it("the last good body stays until a render succeeds, and the failure is known", async () => {
    const { fetch, metrics, renderElement } = openCache();
    const variant = await variantOf("hello");
    const good = await fetch(variant);
    vi.advanceTimersByTime(minute + 1);
    for (let i = 1; i <= 2; i++) {
      renderElement.mockRejectedValueOnce(failure);
      expect(await fetch(variant)).toEqual({
        body: good.body,
        etag: good.etag,
        state: "stale",
        cache: "miss",
        failure,
      });
    }
    expect(await fetch(variant)).toMatchObject({ state: "fresh", cache: "miss", failure: undefined });
    expect(await rendersIn(metrics), "failed ones count, too").toMatchObject({ value: 4 });
  });

  it.each([true, false])("its own error is thrown if there is no good body (cache %s)", async (renderCache) => {
    const { fetch, renderElement } = openCache({ renderCache });
    renderElement.mockRejectedValueOnce(failure);
    await expect(fetch(await variantOf("hello"))).rejects.toBe(failure);
    const build = () => {
      throw failure;
    };
    await expect(fetch(await variantOf("hello", { key: "unbuilt", build }))).rejects.toBe(failure);
  });
});

describe("with the cache off", () => {
  it("each request is rendered, by the same content for a minute", async () => {
    const { fetch, peek, renderElement } = openCache({ renderCache: false });
    const variant = await variantOf("hello");
    const build = vi.spyOn(variant, "build");
    const answers = [await fetch(variant), await fetch(variant)];
    for (const { body, etag, state, cache } of answers)
      expect([String(body), etag, state, cache]).toEqual(["<p>hello</p>", answers[0]?.etag, "fresh", "bypass"]);
    expect([renderElement.mock.calls.length, build.mock.calls.length]).toEqual([2, 1]);
    expect(peek(variant)?.entry.body).toBeUndefined();
    vi.advanceTimersByTime(minute + 1);
    await fetch(variant);
    expect(build).toHaveBeenCalledTimes(2);
  });

  it("a content that can't be built again isn't rendered from the old one", async () => {
    const { fetch } = openCache({ renderCache: false });
    const variant = await variantOf("hello");
    await fetch(variant);
    vi.advanceTimersByTime(minute + 1);
    const failure = new TypeError("planted failure");
    vi.spyOn(variant, "build").mockImplementation(() => {
      throw failure;
    });
    await expect(fetch(variant)).rejects.toBe(failure);
  });
});

describe("the size", () => {
  /** Fetches variants with bodies of a length, and returns which of them are kept. */
  async function fill({ fetch, peek }: ReturnType<typeof openCache>, count: number, length: number, hasText: boolean) {
    const variants: FragmentVariant[] = [];
    for (let i = 0; i < count; i++)
      variants.push(await variantOf("x".repeat(length), { key: `${hasText} ${i}`, hasText }));
    for (const variant of variants) await fetch(variant);
    return variants.map((variant) => peek(variant) !== undefined);
  }

  it.each([true, false])("suffices for six large fragments on each site, and is limited (cache %s)", async (on) => {
    const open = () => openCache({ renderCache: on });
    expect(await fill(open(), 6 * sites.length, 26_000, false)).not.toContain(false);
    const kept = await fill(open(), 20 * sites.length, 26_000, false);
    expect(kept.at(-1)).toBe(true);
    expect(kept.filter(Boolean).length).toBeLessThan(13 * sites.length);
  });

  it("counts what small bodies take besides their bytes", async () => {
    expect((await fill(openCache(), 50 * sites.length, 1, true)).filter(Boolean).length).toBeLessThan(
      34 * sites.length,
    );
  });

  it("of fragments with free text is apart, so that they evict no others", async () => {
    const cache = openCache();
    const plain = await variantOf("hello");
    await cache.fetch(plain);
    const kept = await fill(cache, 10 * sites.length, 10_000, true);
    expect([kept[0], kept.at(-1)]).toEqual([false, true]);
    expect(cache.peek(plain)).toMatchObject({ isFresh: true });
  });
});

it.each([
  ["fresh", "hit", "storefront; hit"],
  ["fresh", "miss", "storefront; fwd=miss; stored"],
  ["fresh", "collapsed", "storefront; fwd=miss; collapsed"],
  ["fresh", "bypass", "storefront; fwd=bypass"],
  ["stale", "miss", "storefront; fwd=miss; detail=stale"],
  ["fallback", "miss", "storefront; fwd=miss; detail=fallback"],
] as const)("Cache-Status names how a %s body was obtained: %s", (state, cache, status) => {
  expect(cacheStatus({ state, cache })).toBe(status);
});

it("Server-Timing has the duration in milliseconds, and the cache", () => {
  expect(serverTiming("miss", 12.345)).toBe("render;dur=12.3, cache;desc=miss");
});
