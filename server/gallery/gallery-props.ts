import { Example } from "../../client/gallery/Example.tsx";
import type { GalleryProps, Specimen } from "../../client/gallery/gallery-props.ts";
import { widgetDocs } from "../../client/gallery/widget-docs.ts";
import type { WidgetDoc, WidgetExample } from "../../client/widgets/widget-doc.ts";
import type { WidgetTexts } from "../../client/widgets/widget-texts.ts";
import type { Assets } from "../assets.ts";
import type { Texts } from "../i18n.ts";
import { renderIsland } from "../render/island.ts";
import type { CountryRegistry } from "../sites/countries.ts";
import { jsxSource } from "./jsx-source.ts";

export interface GallerySources {
  assets: Assets;
  countries: CountryRegistry;
  texts: Texts;
}

/** The language of the gallery itself. */
const language = "en";

/** Builds what the gallery shows: every example of every widget, in each language of sites if the widget says so. */
export function buildGalleryProps({ assets, countries, texts }: GallerySources): GalleryProps {
  const groups = Map.groupBy(widgetDocs, ({ group }) => group);
  const sprite = assets.path("icons.svg");
  return {
    text: texts.translator(language, "gallery"),
    ...assets.urls({ styles: ["page.css", "gallery.css"], scripts: ["boot.js", "copy-code.js"] }),
    groups: [...groups].map(([name, docs]) => ({
      name,
      widgets: docs.map(({ examples, ...doc }) => ({
        ...doc,
        specimens: localesOf(doc).flatMap((locale) => examples.map((example) => buildSpecimen(doc, example, locale))),
      })),
    })),
  };

  function localesOf({ inEveryLanguage }: Pick<WidgetDoc, "inEveryLanguage">): string[] {
    return inEveryLanguage ? [language, ...countries.sites.map(({ locale }) => locale)] : [language];
  }

  function buildSpecimen(doc: Omit<WidgetDoc, "examples">, example: WidgetExample, locale: string): Specimen {
    const name = locale === language ? example.name : `${example.name}, ${locale}`;
    const id = `${doc.widget}-${name}`.replaceAll(/[^\w-]+/g, "-");
    const words = textsOf(doc, locale);
    const props = { widget: doc.widget, example: example.name, texts: words, sprite };
    return {
      id,
      name,
      variant: example.variant,
      size: example.size,
      state: example.state,
      locale,
      code: example.code ?? jsxSource(example.render(words)),
      island: renderIsland("example", Example, props, `${id}-`),
    };
  }

  function textsOf({ texts: keys = [] }: Pick<WidgetDoc, "texts">, locale: string): WidgetTexts {
    const text = texts.translator(locale, "widgets");
    return Object.fromEntries(keys.map((key) => [key, text(key)])) as WidgetTexts;
  }
}
