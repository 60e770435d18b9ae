import { hash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { BuiltFile } from "../../../server/platform/assets.ts";
import { assetsFolder } from "../../../server/platform/paths.ts";
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

  it("are listed with their integrity, size, purpose and calls", async () => {
    const { body, headers } = await request(app).get("/assets/inventory.json").expect(200);
    expect(headers["cache-control"]).toMatch(/^public, max-age=60,/);
    const built = globSync("*.{css,js}", { cwd: assetsFolder });
    expect(body.map(({ file }: BuiltFile) => file)).toEqual(built.sort());
    for (const { file, integrity, bytes } of body) {
      const content = await readFile(join(assetsFolder, file));
      expect([integrity, bytes], file).toEqual([`sha384-${hash("sha384", content, "base64")}`, content.length]);
    }
    const entryOf = (name: string) => body.find(({ file }: BuiltFile) => deps.assets.path(name).endsWith(file));
    expect(entryOf("boot.js").calls).toEqual(["/assets/", "/service/abtestfrontend/"]);
    expect(entryOf("NewsletterBlock.js").calls).toEqual(["/assets/", "/service/newsletter/api/"]);
    expect(entryOf("footer.css")).toMatchObject({ purpose: "styles the footer", calls: [] });
    expect(body.filter(({ purpose }: BuiltFile) => purpose.startsWith("shared by ,"))).toEqual([]);
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

describe.each([
  "/service/footer-images/logos/dhl.svg",
  "/service/newsletterfrontend/newslettersubscriptionform/400x300.svg",
])("the image %s", (path) => {
  const cached = { "cache-control": "public, max-age=86400", etag: expect.stringMatching(/^"[\w-]+"$/) };

  it("is cached for a day, and not sent again while it is the same", async () => {
    const { body, headers } = await request(app).get(path).expect(200);
    expect(body.toString()).toMatch(/^<svg/);
    expect(headers).toMatchObject({ ...cached, "content-type": "image/svg+xml" });
    const again = await request(app).get(path).set("If-None-Match", String(headers.etag)).expect(304);
    expect(again.headers).toMatchObject(cached);
    await request(app).get(path).set("If-None-Match", '"another"').expect(200);
    const head = await request(app).head(path).expect(200);
    expect(head.headers).toMatchObject({ ...cached, "content-length": headers["content-length"] });
    await request(app).post(path).expect(405);
  });

  it.each(["/", "/.", "/unknown.svg", "/..%2f..%2fpackage.json", "/%2e%2e/logos"])(
    "has nothing but images beside it: %s",
    async (beside) => {
      await request(app)
        .get(path.replace(/\/[^/]+$/, beside))
        .expect(404);
    },
  );
});
