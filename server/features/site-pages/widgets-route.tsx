import { Router } from "express";
import type { ReactElement } from "react";
import library from "react-element-to-jsx-string";
import { Example } from "../../../client/features/gallery/Example.tsx";
import { widgetDocs } from "../../../client/features/gallery/widget-docs.ts";
import type { GalleryFrameProps } from "../../../client/pages/gallery/GalleryFrame.tsx";
import { WidgetIndex } from "../../../client/pages/gallery/WidgetIndex.tsx";
import { type Specimen, WidgetPage } from "../../../client/pages/gallery/WidgetPage.tsx";
import type { TeamNavigation } from "../../../client/pages/team/TeamPage.tsx";
import type { WidgetDoc, WidgetExample } from "../../../client/widgets/widget-doc.ts";
import type { WidgetTextKey, WidgetTexts } from "../../../client/widgets/widget-texts.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import { renderIsland } from "../../rendering/render-element.ts";
import type { AppContext } from "../feature.ts";
import type { NavigateTeam } from "./team-navigation.ts";

/** The gallery's own language, and that of the examples unless the address names another. */
const ownLanguage = "en";

/** The gallery of widgets: an index, and a page for each widget under the name of its folder. */
export function widgetsRoute(
  { assets, countries, texts }: AppContext,
  pages: PageRenderer,
  navigate: NavigateTeam,
): Router {
  const sprite = assets.path("icons.svg");
  const router = Router();
  router.get("/widgets", async (request, response) => {
    const navigation = navigate(request);
    await pages.sendCached(response, cacheKey(navigation), () => {
      const keys = widgetDocs.flatMap((doc) => doc.texts ?? []);
      return <WidgetIndex {...frame(navigation)} sprite={sprite} texts={widgetTexts(keys, ownLanguage)} />;
    });
  });
  router.get("/widgets/:widget", async (request, response, next) => {
    const { params, query } = request;
    const doc = widgetDocs.find(({ widget }) => widget === params.widget);
    if (!doc) return next();
    const language = languagesOf(doc).find((locale) => locale === query.language) ?? ownLanguage;
    const navigation = navigate(request);
    const key = cacheKey(navigation, doc.widget, language);
    await pages.sendCached(response, key, () => widgetPage(doc, language, navigation));
  });
  return router;

  function widgetPage(doc: WidgetDoc, language: string, navigation: TeamNavigation) {
    const languages = languagesOf(doc).map((locale) => ({
      locale,
      url: `/widgets/${doc.widget}${locale === ownLanguage ? "" : `?language=${locale}`}#examples`,
      name: new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale,
      isCurrent: locale === language,
    }));
    return (
      <WidgetPage
        {...frame(navigation)}
        widget={doc.widget}
        doc={doc}
        languages={languages.length > 1 ? languages : []}
        specimens={doc.examples.map((example) => specimen(doc, example, language))}
      />
    );
  }

  /** The navigation differs by the host of the request. */
  function cacheKey({ links }: TeamNavigation, ...names: string[]): string {
    return ["/widgets", ...links.map(({ href }) => href), ...names].join(" ");
  }

  function frame(navigation: TeamNavigation): GalleryFrameProps {
    const groups = Map.groupBy(widgetDocs, ({ group }) => group);
    return {
      text: texts.translator(ownLanguage, "gallery"),
      navigation,
      ...assets.filesOf({ styles: ["page.css", "gallery.css"], scripts: ["gallery.js", "copy-code.js"] }),
      groups: [...groups].map(([name, widgets]) => ({ name, widgets })),
    };
  }

  function specimen(doc: WidgetDoc, example: WidgetExample, locale: string): Specimen {
    const id = `${doc.widget}-${example.name}`.replaceAll(/[^\w-]+/g, "-");
    const words = widgetTexts(doc.texts, locale);
    const props = { widget: doc.widget, example: example.name, texts: words, sprite };
    return {
      example,
      id,
      locale,
      code: example.code ?? jsxOf(example.render(words)),
      island: renderIsland({ name: "example", component: Example, props, prefix: `${id}-`, actsFor: "everybody" }),
    };
  }

  function languagesOf({ inEveryLanguage }: WidgetDoc): string[] {
    return inEveryLanguage ? [ownLanguage, ...countries.sites.map(({ locale }) => locale)] : [ownLanguage];
  }

  function widgetTexts(keys: WidgetTextKey[] = [], locale: string): WidgetTexts {
    const text = texts.translator(locale, "widgets");
    return Object.fromEntries(keys.map((key) => [key, text(key)])) as WidgetTexts;
  }
}

type ToJsx = typeof library;

/** The package is CommonJS: bundlers import the function itself, Node the module object around it. */
const toJsx: ToJsx = typeof library === "function" ? library : (library as { default: ToJsx }).default;

/** Returns the JSX that a developer would write to render an element. */
function jsxOf(element: ReactElement): string {
  return toJsx(element, { showDefaultProps: false, sortProps: false, showFunctions: false });
}
