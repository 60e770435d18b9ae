import { type CheerioAPI, load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { widgetDocs } from "../../../../client/features/gallery/widget-docs.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import { createTestApp } from "../../../support/test-app.ts";

const { app } = await createTestApp();

/** The links into a page that lead nowhere. */
function deadLinks($: CheerioAPI): (string | undefined)[] {
  const links = $('a[href^="#"]')
    .map((_index, link) => $(link).attr("href"))
    .get();
  return links.filter((href) => $(`[id="${href.slice(1)}"]`).length === 0);
}

async function open(path: string) {
  const { text } = await request(app).get(path).expect(200);
  return { text, $: load(text) };
}

describe("the index of widgets", async () => {
  const { text, $ } = await open("/widgets");

  it.each(widgetDocs)("shows the $widget as an inert picture with a link to its page", (doc) => {
    const card = $(`.sf-gallery-card:has(a[href="/widgets/${doc.widget}"])`);
    expect(card.find(".sf-gallery-picture[inert] > *")).toHaveLength(1);
    expect(card.text()).toContain(doc.purpose);
  });

  it("is valid", () => {
    expect(markupFaults(text)).toEqual([]);
    expect(deadLinks($)).toEqual([]);
  });

  it("exists only where the overview does, like the pages", async () => {
    const { app: without } = await createTestApp({ overview: false });
    await request(without).get("/widgets").expect(404);
    await request(without).get("/widgets/button").expect(404);
  });
});

describe.each(widgetDocs)("the page of the $widget", async ({ widget, ...doc }) => {
  const { $ } = await open(`/widgets/${widget}`);

  it("documents the purpose, the use and the accessibility of the widget", () => {
    const shown = $("body").text();
    for (const line of [doc.purpose, ...doc.do, ...doc.dont, ...doc.accessibility]) expect(shown).toContain(line);
  });

  it("shows every example with what it is set to, and its code", () => {
    const specimens = $(`[data-widget="${widget}"][data-variant][data-size][data-state]`).toArray();
    expect(specimens.map((specimen) => $(specimen).attr("data-example"))).toEqual(doc.examples.map(({ name }) => name));
    for (const specimen of specimens) {
      expect($(specimen).find('[data-island="example"] *').length).toBeGreaterThan(0);
      expect($(specimen).find("pre code").text()).toMatch(/^(<[A-Z]|function|const)/);
    }
  });

  it("has each anchor once, and a target for every link into the page", () => {
    const ids = $("[id]")
      .map((_index, element) => $(element).attr("id"))
      .get();
    expect(ids).toEqual([...new Set(ids)]);
    expect(deadLinks($)).toEqual([]);
  });

  it("names each output and each piece of code, and groups checkboxes of one name", () => {
    for (const output of $("output").toArray()) expect($(`label[for="${output.attribs.id}"]`).text()).toMatch(/\S/);
    for (const figure of $(".sf-code").toArray())
      expect($(`[id="${figure.attribs["aria-labelledby"]}"]`).text()).toMatch(/\S/);
    const names = $("[type=checkbox]")
      .map((_index, box) => box.attribs.name)
      .get();
    expect(names).toEqual([...new Set(names)]);
  });
});

describe("the address of a widget's page", () => {
  it("selects the language of the examples", async () => {
    const { $ } = await open("/widgets/salutation?language=tr-TR");
    expect($('.sf-specimen-stage[lang="tr-TR"]')).toHaveLength($(".sf-specimen").length);
    expect($(".sf-specimen-stage").first().text()).toContain("Hitap");
    expect($(".sf-gallery-languages [aria-current]").attr("lang")).toBe("tr-TR");
    expect($('.sf-gallery-languages [lang="pl-PL"]').attr("href")).toBe("/widgets/salutation?language=pl-PL#examples");
  });

  it("selects English for a language that the widget doesn't have", async () => {
    const { $ } = await open("/widgets/button?language=tr-TR");
    expect($('.sf-specimen-stage[lang="en"]')).toHaveLength($(".sf-specimen").length);
  });

  it("of an unknown widget isn't found", async () => {
    await request(app).get("/widgets/unknown").expect(404);
  });
});
