import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { load } from "cheerio";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { widgetDocs } from "../../../../client/features/gallery/widget-docs.ts";
import type { WidgetDoc, WidgetExample, WidgetTexts } from "../../../../client/widgets/widget-doc.ts";
import english from "../../../../locales/en/widgets.json" with { type: "json" };
import { documentAround, markupFaults } from "../../../support/markup-faults.ts";

const folder = "client/widgets";

/** Parts that several widgets share, and that no widget shows alone. */
const shared = ["field", "ripple"];

const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const sourcesOf = (name: string) => globSync(join(folder, name, "*.{ts,tsx}"));

/** Returns the kit's texts that a documentation asks for. Any other is a fault. */
function textsOf({ texts = [] }: WidgetDoc): WidgetTexts {
  return new Proxy(english, {
    get(words, key) {
      const asked = texts.find((text) => text === key);
      if (!asked) throw new Error(`the documentation doesn't ask for the text "${String(key)}"`);
      return words[asked];
    },
  });
}

function markupOf(doc: WidgetDoc, example: WidgetExample): string {
  return renderToString(example.render(textsOf(doc)), { identifierPrefix: "given-" });
}

it("documents every widget, by the name of its folder", () => {
  const widgets = folders.map(({ name }) => name).filter((name) => !shared.includes(name));
  expect(widgetDocs.map(({ widget }) => widget).sort()).toEqual(widgets.sort());
});

it("imports the stylesheet of every widget", () => {
  const kit = readFileSync("client/pages/gallery/gallery.css", "utf8");
  for (const file of globSync("*/*.css", { cwd: folder })) expect(kit).toContain(`@import "../../widgets/${file}";`);
});

describe.each(widgetDocs)("the documentation of the $widget", (doc) => {
  const { widget, examples } = doc;

  it("names each example once", () => {
    const names = examples.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual([...new Set(names)]);
  });

  it("shows every value that the widget declares", async () => {
    const files = sourcesOf(widget).filter((file) => !file.includes(".examples."));
    const modules: object[] = await Promise.all(files.map((file) => import(/* @vite-ignore */ resolve(file))));
    const values = modules.flatMap((module) => Object.values(module));
    const lists = values.filter((value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"));
    const markup = examples.map((example) => markupOf(doc, example)).join("");
    const settings = examples.flatMap(({ variant, size, state }) => [variant, size, state]);
    const isShown = (value: unknown) =>
      settings.some((setting) => setting === value) || new RegExp(`="${value}"|<${value}\\b`).test(markup);
    expect(lists.flat().filter((value) => !isShown(value))).toEqual([]);
  });
});

const examples = widgetDocs.flatMap((doc) =>
  doc.examples.map((example) => ({ widget: doc.widget, name: example.name, doc, example })),
);

it("announces every field that an example shows as valid", () => {
  const fields = examples.flatMap(({ name, widget, doc, example }) => {
    const $ = load(markupOf(doc, example));
    const shown = $(".sf-field[data-state=valid]").toArray();
    return shown.map((field) => ({ name: `${widget}: ${name}`, said: $(field).find("[id$=valid]").text() }));
  });
  expect(fields).not.toEqual([]);
  for (const { name, said } of fields) expect(said, name).toBe(english.valid);
});

it.each(examples)(
  "the example of the $widget is valid HTML for a strict policy, without ids of its own: $name",
  ({ doc, example }) => {
    const markup = markupOf(doc, example);
    const $ = load(markup);
    expect(markupFaults(documentAround(markup))).toEqual([]);
    expect($("[style], style, script, [onclick]")).toHaveLength(0);
    for (const { attribs } of $("body [id]")) expect(attribs.id).toMatch(/given-/);
  },
);
