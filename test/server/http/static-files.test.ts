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
const file = deps.assets.url("boot.js");

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
    const response = await request(app).get(deps.assets.url("footer.css")).set("Accept-Encoding", "br").expect(200);
    expect(response.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "content-encoding": "br",
      vary: "Accept-Encoding",
    });
    const gzip = await request(app).get(deps.assets.url("boot.js")).set("Accept-Encoding", "gzip").expect(200);
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gzip.headers["content-type"]).toMatch(/^text\/javascript; charset=utf-8$/i);
  });

  it("have a hash in their names, as browsers never ask again: the manifest of the build isn't there", async () => {
    await readFile(join(assetsFolder, "manifest.json"));
    const { status, text, headers } = await request(app).get("/assets/manifest.json");
    expect([status, text, headers["cache-control"]]).toEqual([404, "", "no-store"]);
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
    const entryOf = (name: string) => body.find(({ file }: BuiltFile) => deps.assets.url(name).endsWith(file));
    expect(entryOf("boot.js").calls).toEqual(["/assets/", "/service/abtestfrontend/"]);
    expect(entryOf("NewsletterBlock.js").calls).toEqual(["/assets/", "/service/newsletter/api/"]);
    expect(entryOf("footer.css")).toMatchObject({ purpose: "styles the footer", calls: [] });
    expect(body.filter(({ purpose }: BuiltFile) => purpose.startsWith("shared by ,"))).toEqual([]);
  });

  it("and their inventory are not sent again while they are the same", async () => {
    const generated = (await newsletterContent()) ?? "";
    for (const path of ["/assets/inventory.json", file, generated]) {
      const whole = { "Accept-Encoding": "identity" };
      const { headers } = await request(app).get(path).set(whole).expect(200);
      const again = await request(app).get(path).set(whole).set("If-None-Match", String(headers.etag));
      expect([again.status, again.headers.etag], path).toEqual([304, headers.etag]);
      const head = await request(app).head(path).set(whole).expect(200);
      expect(head.headers["content-length"], path).toBe(headers["content-length"]);
    }
  });
});

it("has nothing beside the logos, either", async () => {
  const { status, text } = await request(app).get("/service/footer-images/nowhere").set("Accept", "text/html");
  expect([status, text]).toEqual([404, ""]);
});

describe.each(["/assets", "/service/footer-images/logos", "/service/newsletterfrontend/newslettersubscriptionform"])(
  "%s",
  (folder) => {
    it.each([
      "/unknown.js",
      "/unknown-ABCDEFGH.js",
      `/${"long".repeat(30)}-ABCDEFGH.js`,
      "/unknown.svg?v=ABCDEFGH",
      "/../package.json",
      "/%2e%2e/package.json",
      "/..%2fpackage.json",
      "/%",
      "/",
      "",
    ])("has nothing for browsers that it doesn't know, not even a page: %s", async (path) => {
      const { status, text, headers } = await request(app)
        .get(folder + path)
        .set("Accept", "text/html");
      expect([status, text, headers["cache-control"]]).toEqual([404, "", "no-store"]);
      expect(headers).not.toHaveProperty("content-type");
    });

    it("has an empty answer for a wrong method, too", async () => {
      const { status, text } = await request(app).post(`${folder}/unknown.js`).set("Accept", "text/html");
      expect([status, text]).toEqual([405, ""]);
    });
  },
);

/** The path of the texts that sign-up blocks load. */
async function newsletterContent(): Promise<string | undefined> {
  const { text } = await request(app).get("/fragments/newsletter/DE");
  return /\/assets\/newsletter-DE-\w{8}\.json/.exec(text)?.[0];
}

describe.each([
  "/service/footer-images/logos/dhl.svg",
  "/service/newsletterfrontend/newslettersubscriptionform/400x300.svg",
])("the image %s", (path) => {
  const policies = {
    "": /^public, max-age=60, s-maxage=300,/,
    "?other=1": /^public, max-age=60, s-maxage=300,/,
    "?v=<hash>": /^public, max-age=31536000, immutable$/,
    "?v=ABCDEFGH": /^no-store$/,
    "?v=": /^no-store$/,
    "?v=A&v=B": /^no-store$/,
  };

  it.each(Object.entries(policies))("is kept by caches as long as its address holds: %s", async (query, policy) => {
    const { text } = await request(app).get("/fragments/footer/DE");
    const [, hash] = new RegExp(`${path.replaceAll("/", "\\/")}\\?v=([0-9A-F]{8})"`).exec(text) ?? [];
    const address = path + query.replace("<hash>", String(hash));
    const { body, headers } = await request(app).get(address).expect(200);
    expect(body.toString()).toMatch(/^<svg/);
    expect(headers).toMatchObject({
      "content-type": "image/svg+xml",
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      "surrogate-key": "images",
    });
    expect(headers["cache-control"]).toMatch(policy);
    const again = await request(app).get(address).set("If-None-Match", String(headers.etag)).expect(304);
    expect(again.headers["cache-control"]).toBe(headers["cache-control"]);
    await request(app).get(address).set("If-None-Match", '"another"').expect(200);
    const head = await request(app).head(address).expect(200);
    expect(head.headers["content-length"]).toBe(headers["content-length"]);
    await request(app).post(address).expect(405);
  });
});
