import request from "supertest";
import { expect, it } from "vitest";
import { createEdgeTags } from "../../../server/http/edge-tags.ts";
import { createTestApp } from "../../support/test-app.ts";

const write = (name: string, tags: string[]) => createEdgeTags([name]).headersOf(tags)[name];

it.each([
  ["Surrogate-Key", "country-DE variant:spring.sale:B"],
  ["cache-tag", "country-DE,variant:spring.sale:B"],
  ["Edge-Cache-Tag", "country-DE,variant.spring.sale.B"],
  ["x-amz-meta-cache-tag", "country-DE,variant:spring.sale:B"],
])("%s has its own form", (name, value) => {
  expect(write(name, ["country-DE", "variant:spring.sale:B"])).toBe(value);
});

it.each([
  ["Surrogate-Key", { longest: 1024, bytes: 16_384, most: Infinity }],
  ["Cache-Tag", { longest: 1024, bytes: 16_384, most: 1000 }],
  ["Edge-Cache-Tag", { longest: 128, bytes: 8192, most: 128 }],
  ["X-Amz-Meta-Cache-Tag", { longest: 256, bytes: 12_849, most: 50 }],
])("%s keeps the limits of its edge", (name, { longest, bytes, most }) => {
  const split = (tags: string[]) => write(name, tags)?.split(/[ ,]/) ?? [];
  expect(split(["x".repeat(longest + 1), "country-DE", "y".repeat(longest)])).toEqual([
    "country-DE",
    "y".repeat(longest),
  ]);
  const many = Array.from({ length: 2000 }, (_, index) => `t${index}`);
  const kept = split(many);
  expect(kept).toEqual(many.slice(0, kept.length));
  expect(kept.length).toBeLessThanOrEqual(most);
  const long = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(longest, "z"));
  expect(split(long)).toEqual(long.slice(0, split(long).length));
  expect(write(name, long)?.length).toBeLessThanOrEqual(bytes);
  expect(write(name, long)?.length).toBeGreaterThan(bytes - 2 * longest);
});

it("fragments, their manifests and images carry their tags in every configured header, and in no other", async () => {
  const { app, listener, deps } = await createTestApp({ edgeTagHeaders: ["Cache-Tag", "Edge-Cache-Tag"] });
  const footer = `fragment-footer,country-AT,build-${deps.assets.build}`;
  const asked = { "/fragments/footer/AT": footer, "/fragments/footer/AT.json": footer };
  const others = { "/fragments/footer/AT/manifest.json": footer, "/fragments/footer/AT/fallback": footer };
  const image = { "/service/footer-images/logos/dhl.svg": "images" };
  for (const [path, tags] of Object.entries({ ...asked, ...others, ...image })) {
    const { headers } = await request(app).get(path).expect(200);
    expect(headers, path).toMatchObject({ "cache-tag": tags, "edge-cache-tag": tags });
    expect(headers, path).not.toHaveProperty("surrogate-key");
  }
  for (const [path, tags] of Object.entries(asked)) {
    const { headers } = await request(listener).get(path).expect(200);
    expect(headers, path).toMatchObject({ "cache-tag": tags, "cache-status": "storefront; hit" });
    expect(headers).not.toHaveProperty("surrogate-key");
  }
});

it("a footer that a cookie has changed carries no tag", async () => {
  const { app } = await createTestApp({ edgeTagHeaders: ["Surrogate-Key", "Cache-Tag"] });
  const { headers } = await request(app).get("/fragments/footer/AT").set("Cookie", "xc-app=new").expect(200);
  for (const name of ["surrogate-key", "cache-tag"]) expect(headers).not.toHaveProperty(name);
});
