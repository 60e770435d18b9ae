import request from "supertest";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../support/test-app.ts";

const { app, deps } = await createTestApp();
const file = deps.assets.path("boot.js");

it.each([
  ["a part that it has", { Range: "bytes=0-9" }, 206],
  ["a part that it hasn't", { Range: "bytes=9999999-" }, 416],
  ["what it was before it changed", { "If-Match": '"another"' }, 412],
])("a built file asked for %s is answered with the status that says so", async (_part, headers, status) => {
  const answer = await request(app)
    .get(file)
    .set({ ...headers, "Accept-Encoding": "identity" });
  expect(answer.status).toBe(status);
});

describe("built files", () => {
  it("are immutable, open to every origin, and compressed for clients that accept it", async () => {
    const response = await request(app).get(deps.assets.path("footer.css")).set("Accept-Encoding", "br").expect(200);
    expect(response.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "content-encoding": "br",
      vary: "Accept-Encoding",
    });
    const gzip = await request(app).get(deps.assets.path("boot.js")).set("Accept-Encoding", "gzip").expect(200);
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gzip.headers["content-type"]).toMatch(/^text\/javascript; charset=utf-8$/i);
  });

  it.each([
    "/assets/unknown.js",
    "/assets/../package.json",
    "/assets/%2e%2e/package.json",
    "/assets/..%2fpackage.json",
    "/assets/",
  ])("give nothing else away: %s", async (path) => {
    const response = await request(app).get(path).set("Accept", "application/json");
    expect(response.status).toBe(404);
    expect(response.text).toBe("");
  });
});

describe("logos", () => {
  it("are cached for a day, as their names carry no hash", async () => {
    const { headers } = await request(app).get("/service/footer-images/logos/dhl.svg").expect(200);
    expect(headers).toMatchObject({ "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" });
  });

  it("are left out and logged once when a source is unknown", async () => {
    const { deps, logs } = await createTestApp();
    expect(deps.logos.url("nobody")).toBeUndefined();
    expect(deps.logos.url("nobody")).toBeUndefined();
    expect(logs.filter(({ msg }) => msg === "the country names an unknown logo")).toHaveLength(1);
  });
});
