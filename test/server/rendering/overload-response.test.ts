import { createHash } from "node:crypto";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { createOverloadResponse } from "../../../server/rendering/overload-response.tsx";
import { createTestApp, sites, texts } from "../../support/test-app.ts";

const { deps } = await createTestApp();
/** A font family in quotes, which must be the same in the page and in the hash. */
const brand = { ...deps.brand, type: { stack: '"Brand Sans", sans-serif' } };
const answer = createOverloadResponse({ ...deps, brand });
const get = (path: string, host = "de.localhost") => request(answer).get(path).set("Host", host);

describe("a rejected request", () => {
  it.each(["/", "/login", "/fragments/footer", "/assets/footer.css", "/service/unknown"])(
    "gets Retry-After, and isn't stored: %s",
    async (path) => {
      const { headers } = await get(path).expect(503);
      expect(headers["retry-after"]).toMatch(/^[1-5]$/);
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    },
  );

  it("for a page gets a page in the language of every site", async () => {
    for (const { locale, localHost } of sites) {
      const { text } = await get("/login", localHost);
      expect(text).toContain(`<html lang="${locale}">`);
      expect(text).toContain(`<h1>${texts.translator(locale, "page")("error.heading")}</h1>`);
    }
  });

  it("for a page gets a page that loads nothing, with a style that its Content-Security-Policy allows", async () => {
    const { text, headers } = await get("/login");
    expect(text).toContain('font-family:"Brand Sans", sans-serif');
    const $ = load(text);
    expect($("link, script, img, [src], [href], [style]")).toHaveLength(0);
    const hash = createHash("sha256").update($("style").text()).digest("base64");
    expect(headers["content-security-policy"]).toContain(`default-src 'none';style-src 'sha256-${hash}';`);
  });

  it("for a call gets the error of every call, and for a fragment an empty body", async () => {
    const { body } = await get("/service/login/api/v1/login").expect("Content-Type", /json/);
    expect(body).toMatchObject({ type: "UNAVAILABLE", status: 503 });
    expect((await get("/fragments/footer?site=DE")).text).toBe("");
  });

  it("for a stylesheet is a stylesheet, because browsers complain of any other type", async () => {
    const { text } = await get("/assets/footer-1A2B3C4D.css?1").expect("Content-Type", /css/);
    expect(text).toBe("");
  });

  it("below /service/, if it is no call, is a page for people and an error for programs", async () => {
    await get("/service/privacy").set("Accept", "text/html,*/*").expect("Content-Type", /html/);
    await get("/service/privacy").set("Accept", "*/*").expect("Content-Type", /json/);
    await get("/service/login/api/v1/login").set("Accept", "text/html,*/*").expect("Content-Type", /json/);
  });
});
