import { load } from "cheerio";
import request from "supertest";
import { expect, it } from "vitest";
import type { Texts } from "../../../../server/platform/texts.ts";
import { createTestApp, sites, texts } from "../../../support/test-app.ts";

const [site] = sites;

/** Returns the texts without certain texts of the footer. */
function without(isLost: (key: string) => boolean): Texts {
  return {
    ...texts,
    translator(locale, namespace, values) {
      const text = texts.translator(locale, namespace, values);
      return (key) => (namespace === "footer" && isLost(key) ? "" : text(key));
    },
  };
}

it.each([
  ["every heading", (key: string) => key.endsWith("heading") || key === site?.footer.headline],
  ["the texts of links", (key: string) => !key.endsWith("heading")],
  ["every text", () => true],
])("a footer whose locale lacks %s shows nothing in their place", async (_what, isLost) => {
  const { app } = await createTestApp({ texts: without(isLost) });
  const answer = await request(app).get("/fragments/footer").query({ site: site?.site, newsletter: false });
  expect([answer.status, answer.headers["x-fragment-state"]]).toEqual([200, "fresh"]);
  const $ = load(answer.text);
  const empty = $("h2, h3, a, button, summary").filter((_index, element) => $(element).text().trim() === "");
  const unnamed = empty.filter((_index, element) => $(element).find("img[alt]").length === 0);
  expect(unnamed.toArray().map((element) => $.html(element))).toEqual([]);
  expect($("li").filter((_index, element) => $(element).html() === "").length).toBe(0);
});
