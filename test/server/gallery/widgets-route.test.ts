import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it, vi } from "vitest";
import { widgetDocs } from "../../../client/gallery/widget-docs.ts";
import { createTestApp, sites, texts } from "../../support/test-app.ts";

const translated = vi.fn();
const { app } = await createTestApp({
  texts: {
    ...texts,
    translator: (...asked) => {
      translated();
      return texts.translator(...asked);
    },
  },
});
const response = await request(app).get("/widgets").expect(200);
const $ = load(response.text);

describe("the gallery", () => {
  it.each(widgetDocs)("shows every example of the $widget, with its code", ({ widget, examples, inEveryLanguage }) => {
    const specimens = $(`[data-widget="${widget}"]`).toArray();
    expect(specimens).toHaveLength(examples.length * (inEveryLanguage ? 1 + sites.length : 1));
    for (const specimen of specimens) {
      expect(
        $(specimen).find('[data-island="example"]').text() || $(specimen).find("[data-island] *").length,
      ).toBeTruthy();
      expect($(specimen).find("pre code").text()).toMatch(/^(<[A-Z]|function|const)/);
    }
  });

  it("has an anchor for every widget and example, each once", () => {
    const ids = $("[id]")
      .map((_index, element) => $(element).attr("id"))
      .get();
    expect(ids).toEqual([...new Set(ids)]);
    for (const { widget } of widgetDocs) expect(ids).toContain(widget);
    for (const link of $('a[href^="#"]').toArray()) expect(ids).toContain($(link).attr("href")?.slice(1));
  });

  it("is rendered once for all who ask", async () => {
    translated.mockClear();
    const again = await request(app).get("/widgets").expect(200);
    expect(again.text).toBe(response.text);
    expect(translated).not.toHaveBeenCalled();
  });

  it("is there only where it is asked for", async () => {
    const { app: without } = await createTestApp({ overview: false });
    await request(without).get("/widgets").expect(404);
  });
});
