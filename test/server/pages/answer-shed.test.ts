import { createHash } from "node:crypto";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { createAnswerShed } from "../../../server/pages/answer-shed.tsx";
import { createTestApp, sites, texts } from "../../support/test-app.ts";

const { deps } = await createTestApp();
const answer = createAnswerShed({ ...deps, env: deps });
const get = (path: string, host = "de.localhost") => request(answer).get(path).set("Host", host);

describe("a request that is shed", () => {
  it.each(["/", "/login", "/fragments/footer", "/assets/footer.css", "/service/unknown"])(
    "is told when to come again, and isn't stored: %s",
    async (path) => {
      const { headers } = await get(path).expect(503);
      expect(headers["retry-after"]).toMatch(/^[1-5]$/);
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    },
  );

  it("for a page gets one in the language of its site", async () => {
    for (const { locale, localHost } of sites) {
      const { text } = await get("/login", localHost);
      expect(text).toContain(`<html lang="${locale}">`);
      expect(text).toContain(`<h1>${texts.translator(locale, "page")("error.heading")}</h1>`);
    }
  });

  it("for a page gets its stylesheet in the page, allowed by its hash, and nothing to load", async () => {
    const { headers, text } = await get("/login");
    const $ = load(text);
    const hash = createHash("sha256").update($("style").text()).digest("base64");
    expect(headers["content-security-policy"]).toContain(`style-src 'sha256-${hash}';`);
    expect($("link, script, img, [src], [href]")).toHaveLength(0);
  });

  it("for a call gets the error of every call, and for a fragment an empty body", async () => {
    const { body } = await get("/service/login/api/v1/login").expect("Content-Type", /json/);
    expect(body).toMatchObject({ type: "UNAVAILABLE", status: 503 });
    expect((await get("/fragments/footer?site=DE")).text).toBe("");
  });

  it("below /service/ is a page for people and an error for programs, where it is no call of ours", async () => {
    await get("/service/privacy").set("Accept", "text/html,*/*").expect("Content-Type", /html/);
    await get("/service/privacy").set("Accept", "*/*").expect("Content-Type", /json/);
    await get("/service/login/api/v1/login").set("Accept", "text/html,*/*").expect("Content-Type", /json/);
  });
});
