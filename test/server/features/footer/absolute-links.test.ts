import type { CheerioAPI } from "cheerio";
import request from "supertest";
import { expect, it } from "vitest";
import { openFooter } from "../../../support/open-footer.ts";
import { createTestApp, sites } from "../../../support/test-app.ts";

const promotion = { headline: "Sale", text: "Until Sunday", link: { url: "/sale?from=footer", text: "To the sale" } };
const { app, listener } = await createTestApp({
  promotions: { current: () => promotion, nextChange: () => Number.POSITIVE_INFINITY },
});

/** Lists the attributes of every link. */
const linksOf = ($: CheerioAPI) => Array.from($("a"), ({ attribs }) => attribs);

it.each(sites)(
  "puts the origin in front of the paths of links, and changes nothing else: $site",
  async ({ site, origin }) => {
    const [$, absolute] = await Promise.all([openFooter(app, site), openFooter(app, site, "&links=absolute")]);
    const expected = linksOf($).map((link) => ({ ...link, href: link.href?.replace(/^\//, `${origin}/`) }));
    expect(expected.filter(({ href }) => href?.startsWith(`${origin}/`)).length).toBeGreaterThan(20);
    expect(linksOf(absolute)).toEqual(expected);

    for (const footer of [$, absolute]) {
      expect(footer("[data-section=newsletter] a").length).toBeGreaterThan(0);
      expect(footer("[data-section=promotion] a")).toHaveLength(1);
      footer("a").removeAttr("href");
      // Only the absolute links of the newsletter's texts are sent with it.
      footer("[data-island]").removeAttr("data-island-props");
    }
    expect(absolute.html() === $.html()).toBe(true);
  },
);

it("is a part of the key: both forms stay apart, as HTML and as JSON", async () => {
  const get = (query: string, form = "") => request(listener).get(`/fragments/footer/DE${form}${query}`).expect(200);
  const forms = ["", "?links=relative", "?links=absolute", "?links=absolute"];
  const html = await Promise.all(forms.map((query) => get(`${query}`)));
  const [relative, , absolute] = html;
  expect(html.map(({ text }) => text)).toEqual([relative?.text, relative?.text, absolute?.text, absolute?.text]);
  expect(absolute?.text).not.toBe(relative?.text);
  expect(absolute?.headers.etag).not.toBe(relative?.headers.etag);

  const data = await get("?links=absolute&assets=none", ".json");
  expect(data.body.html).toBe((await get("?links=absolute&assets=none")).text);
  expect(data.body.html).not.toMatch(/<a[^>]* href="\//);
});

it("refuses any other value by name, with an empty body", async () => {
  for (const form of ["", ".json"]) {
    const answer = await request(listener).get(`/fragments/footer/DE${form}?links=everywhere`).expect(400);
    expect(answer.text).toBe("");
    expect(answer.headers["x-fragment-error"]).toMatch(/^links /);
  }
});
