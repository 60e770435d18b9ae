import { describe, expect, it, vi } from "vitest";
import { createPromotionUpstream } from "../../../../server/features/promotion/index.ts";
import { breakOff, drip, flood, hang, json, type Stub, startStub, status } from "../../../support/start-stub.ts";
import { sites } from "../../../support/test-app.ts";

const promotion = {
  headline: "Coffee weeks",
  text: "A tenth off every coffee.",
  link: { url: "/category/coffee", text: "Discover" },
};
const content = (value: unknown) => json(JSON.stringify({ contentJSON: JSON.stringify(value) }));
const linkTo = (url: string) => content({ ...promotion, link: { url, text: "Discover" } });
const [germany] = sites.filter(({ site }) => site === "DE");
if (!germany) throw new Error("there is no DE");

vi.setConfig({ testTimeout: 10_000 });

/** What the service promotes now, as far as it says. */
const promotionOf = async (stub: Stub, site = germany) =>
  (await createPromotionUpstream(stub).planned(site))[0]?.promotion;

describe("the promotion service", () => {
  it.each(sites.map(({ site }) => site))("is asked for the one of %s", async (code) => {
    const stub = await startStub(content(promotion));
    const [site] = sites.filter((one) => one.site === code);
    expect(site && (await promotionOf(stub, site))).toEqual(promotion);
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]).toMatchObject({
      method: "GET",
      url: "/service/promotion/api/promotion/SHOP_FOOTER",
      headers: { "x-site": code },
    });
  });

  it("says with 404 that there is none", async () => {
    const stub = await startStub(status(404));
    expect(await promotionOf(stub)).toBeUndefined();
  });

  it("may say more than we know", async () => {
    const more = { ...promotion, teaser: 1, link: { ...promotion.link, rel: "nofollow" } };
    const stub = await startStub(json(JSON.stringify({ contentJSON: JSON.stringify(more), id: 7 })));
    expect(await promotionOf(stub)).toEqual(promotion);
  });

  it.each(["/", "/category/coffee?a=b#c", "http://shop.example", "https://shop.example/äöü"])(
    "may link to %s",
    async (url) => {
      const stub = await startStub(linkTo(url));
      expect((await promotionOf(stub))?.link.url).toBe(url);
    },
  );

  it.each([
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\\\evil.example",
    "http:///evil.example",
    "https:evil.example",
    "category/coffee",
    "mailto:a@b.example",
    "",
    `/${"a".repeat(500)}`,
  ])("may not link to %j", async (url) => {
    const stub = await startStub(linkTo(url));
    await expect(promotionOf(stub)).rejects.toThrow(/^upstream promotion: contentJSON: \/link\/url must /);
  });

  it.each([
    ["a server error", status(500), "status 500"],
    ["a redirect", status(302), "status 302"],
    ["an empty success", status(204), "status 204"],
    ["silence", hang, "no answer within 2000 ms"],
    ["a body that drips", drip, "no answer within 2000 ms"],
    ["a huge body", flood, "answer larger than 65536 bytes"],
    ["a broken connection", breakOff, "no answer (UND_ERR_SOCKET)"],
    ["a page", json("<!doctype html>secret body"), "answer is no JSON"],
    ["nothing", json(""), "answer is no JSON"],
    ["no object", json("[]"), "answer:  must be object"],
    ["no content", json("{}"), "answer: /contentJSON is missing"],
    ["content that is no text", json('{"contentJSON":{}}'), "answer: /contentJSON must be string"],
    ["content that is no JSON", json('{"contentJSON":"secret body"}'), "contentJSON is no JSON"],
    ["content null", content(null), "contentJSON:  must be object"],
    ["no headline", content({ ...promotion, headline: undefined }), "contentJSON: /headline is missing"],
    [
      "several faults",
      content({ ...promotion, text: 5, link: {} }),
      "contentJSON: /text must be string; /link/url is missing; /link/text is missing",
    ],
    [
      "a text too long",
      content({ ...promotion, text: "a".repeat(501) }),
      "contentJSON: /text must NOT have more than 500 characters",
    ],
  ])("answering %s is a fault named without a word of the answer", async (_what, answer, fault) => {
    const stub = await startStub(answer);
    await expect(promotionOf(stub)).rejects.toMatchObject({
      name: "UpstreamError",
      message: `upstream promotion: ${fault}`,
    });
  });

  it("that isn't there is a fault, too", async () => {
    const stub = await startStub(hang);
    await stub.close();
    await expect(promotionOf(stub)).rejects.toThrow("upstream promotion: no answer (ECONNREFUSED)");
  });
});
