import { Example } from "../../client/gallery/Example.tsx";
import type {
  GalleryFrameProps,
  Specimen,
  WidgetIndexProps,
  WidgetPageProps,
} from "../../client/gallery/gallery-props.ts";
import { Playground } from "../../client/gallery/Playground.tsx";
import { controlsOf, type PlaygroundValues, queryOf } from "../../client/gallery/playground.ts";
import { widgetDocs } from "../../client/gallery/widget-docs.ts";
import type { WidgetDoc, WidgetExample } from "../../client/widgets/widget-doc.ts";
import type { WidgetTextKey, WidgetTexts } from "../../client/widgets/widget-texts.ts";
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

/** What the address of a widget's page asks for. */
export interface WidgetPageChoice {
  /** The language of the examples. */
  language: string;
  values: PlaygroundValues;
}

/** The language of the gallery itself. */
const ownLanguage = "en";

/** Gives the language of the examples that an address asks for; the gallery's own unless the widget has that one. */
export function readLanguage(doc: WidgetDoc, asked: unknown, countries: CountryRegistry): string {
  return languagesOf(doc, countries).find((locale) => locale === asked) ?? ownLanguage;
}

/** Builds what the index shows. */
export function buildIndexProps(sources: GallerySources): WidgetIndexProps {
  const keys = widgetDocs.flatMap(({ texts = [] }) => texts);
  return {
    ...buildFrameProps(sources),
    sprite: spriteOf(sources),
    texts: textsOf(keys, ownLanguage, sources),
  };
}

/** Builds what the page of a widget shows. */
export function buildWidgetPageProps(
  doc: WidgetDoc,
  { language, values }: WidgetPageChoice,
  sources: GallerySources,
): WidgetPageProps {
  const frame = buildFrameProps(sources);
  const { text } = frame;
  const sprite = spriteOf(sources);
  const words = {
    show: text("playground.show"),
    result: text("playground.result"),
    copy: text("copy"),
    what: `${doc.widget}, ${text("playground")}`,
  };
  const texts = textsOf(doc.texts, ownLanguage, sources);
  const props = { widget: doc.widget, values, language: foreign(language), texts, sprite, words };
  const languages = languagesOf(doc, sources.countries).map((locale) => ({
    locale,
    url: `/widgets/${doc.widget}?${queryOf(controlsOf(doc), values, foreign(locale))}#examples`,
    name: new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale,
    isCurrent: locale === language,
  }));
  return {
    ...frame,
    widget: doc.widget,
    doc,
    playground: renderIsland({
      name: "playground",
      component: Playground,
      props,
      prefix: "playground-",
      actsFor: "everybody",
    }),
    languages: languages.length > 1 ? languages : [],
    specimens: doc.examples.map((example) => buildSpecimen(doc, example, language, sources)),
  };
}

function buildFrameProps({ assets, texts }: GallerySources): GalleryFrameProps {
  const groups = Map.groupBy(widgetDocs, ({ group }) => group);
  return {
    text: texts.translator(ownLanguage, "gallery"),
    ...assets.urls({ styles: ["page.css", "gallery.css"], scripts: ["gallery.js", "copy-code.js"] }),
    groups: [...groups].map(([name, widgets]) => ({ name, widgets })),
  };
}

function buildSpecimen(doc: WidgetDoc, example: WidgetExample, locale: string, sources: GallerySources): Specimen {
  const { name, variant, size, state } = example;
  const id = `${doc.widget}-${name}`.replaceAll(/[^\w-]+/g, "-");
  const texts = textsOf(doc.texts, locale, sources);
  const props = { widget: doc.widget, example: name, texts, sprite: spriteOf(sources) };
  return {
    id,
    name,
    variant,
    size,
    state,
    locale,
    code: example.code ?? jsxSource(example.render(texts)),
    island: renderIsland({ name: "example", component: Example, props, prefix: `${id}-`, actsFor: "everybody" }),
  };
}

function spriteOf({ assets }: GallerySources): string {
  return assets.path("icons.svg");
}

function languagesOf({ inEveryLanguage }: WidgetDoc, { sites }: CountryRegistry): string[] {
  return inEveryLanguage ? [ownLanguage, ...sites.map(({ locale }) => locale)] : [ownLanguage];
}

/** Gives a language unless it is the gallery's own, which no address names. */
function foreign(locale: string): string | undefined {
  return locale === ownLanguage ? undefined : locale;
}

function textsOf(keys: WidgetTextKey[] = [], locale: string, { texts }: GallerySources): WidgetTexts {
  const text = texts.translator(locale, "widgets");
  return Object.fromEntries(keys.map((key) => [key, text(key)])) as WidgetTexts;
}
