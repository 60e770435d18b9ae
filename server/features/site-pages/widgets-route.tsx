import { type Request, Router } from "express";
import type { ReactElement } from "react";
import library from "react-element-to-jsx-string";
import { Example } from "../../../client/features/gallery/Example.tsx";
import { widgetDocs } from "../../../client/features/gallery/widget-docs.ts";
import { type GalleryProps, WidgetIndex, WidgetPage } from "../../../client/pages/gallery/WidgetPages.tsx";
import type { WidgetDoc } from "../../../client/widgets/widget-doc.ts";
import { pickTexts } from "../../platform/texts.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import { renderIsland } from "../../rendering/render-element.ts";
import type { AppContext } from "../feature.ts";
import type { NavigateTeam } from "./team-navigation.ts";

/** The gallery's own language. The examples are in this language, too, unless the URL names another. */
const ownLanguage = "en";

/** The gallery of widgets: an index, and a page for each widget under the name of its folder. */
export function widgetsRoute(
  { assets, countries, texts }: AppContext,
  pages: PageRenderer,
  navigate: NavigateTeam,
): Router {
  const groups = [...Map.groupBy(widgetDocs, ({ group }) => group)].map(([name, widgets]) => ({ name, widgets }));
  const router = Router();
  router.get("/widgets", async (request, response) => {
    const words = widgetTexts(widgetDocs, ownLanguage);
    await pages.send(response, <WidgetIndex {...frame(request)} texts={words} />);
  });
  router.get("/widgets/:widget", async (request, response, next) => {
    const { params, query } = request;
    const doc = widgetDocs.find(({ widget }) => widget === params.widget);
    if (!doc) return next();
    const languages = doc.inEveryLanguage ? [ownLanguage, ...countries.sites.map(({ locale }) => locale)] : [];
    const locale = languages.find((language) => language === query.language) ?? ownLanguage;
    const page = (
      <WidgetPage
        {...frame(request)}
        doc={doc}
        locale={locale}
        languages={languages.map((language) => ({
          locale: language,
          url: `/widgets/${doc.widget}${language === ownLanguage ? "" : `?language=${language}`}#examples`,
          name: new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language,
        }))}
        specimens={() => specimens(doc, locale)}
      />
    );
    await pages.send(response, page);
  });
  return router;

  function frame(request: Request): GalleryProps {
    return {
      text: texts.translator(ownLanguage, "gallery"),
      navigation: navigate(request),
      ...assets.filesOf({ styles: ["page.css", "gallery.css"], scripts: ["gallery.js", "copy-code.js"] }),
      groups,
    };
  }

  function specimens(doc: WidgetDoc, locale: string) {
    const { widget, examples } = doc;
    const words = widgetTexts([doc], locale);
    return examples.map((example) => {
      const id = `${widget}-${example.name}`.replaceAll(/[^\w-]+/g, "-");
      const props = { widget, example: example.name, texts: words };
      return {
        example,
        id,
        code: example.code ?? jsxOf(example.render(words)),
        island: renderIsland({ name: "example", component: Example, props, prefix: `${id}-`, actsFor: "everybody" }),
      };
    });
  }

  function widgetTexts(docs: WidgetDoc[], locale: string) {
    const keys = docs.flatMap((doc) => doc.texts ?? []);
    return pickTexts(keys, texts.translator(locale, "widgets"));
  }
}

type ToJsx = typeof library;

/** The package is CommonJS: bundlers import the function itself, Node the module object around it. */
const toJsx: ToJsx = typeof library === "function" ? library : (library as { default: ToJsx }).default;

/** Returns the JSX that a developer would write for an element. */
function jsxOf(element: ReactElement): string {
  return toJsx(element, { showDefaultProps: false, sortProps: false, showFunctions: false });
}
