import { Router } from "express";
import { controlsOf, readValues } from "../../client/gallery/playground.ts";
import { WidgetIndex } from "../../client/gallery/WidgetIndex.tsx";
import { WidgetPage } from "../../client/gallery/WidgetPage.tsx";
import { widgetDocs } from "../../client/gallery/widget-docs.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import { buildIndexProps, buildWidgetPageProps, type GallerySources, readLanguage } from "./gallery-props.ts";

/** Answers the gallery, which documents the widgets: an index, and a page for each by the name of its folder. */
export function widgetsRoute({ pages, ...sources }: GallerySources & { pages: PageRenderer }): Router {
  const router = Router();
  router.get("/widgets", async (_request, response) => {
    await pages.sendKept(response, "/widgets", () => ({ page: <WidgetIndex {...buildIndexProps(sources)} /> }));
  });
  router.get("/widgets/:widget", async ({ params, query }, response, next) => {
    const doc = widgetDocs.find(({ widget }) => widget === params.widget);
    if (!doc) return next();
    const language = readLanguage(doc, query.language, sources.countries);
    const values = readValues(controlsOf(doc), query);
    await pages.sendKept(response, JSON.stringify(["/widgets", doc.widget, language, values]), () => ({
      page: <WidgetPage {...buildWidgetPageProps(doc, { language, values }, sources)} />,
    }));
  });
  return router;
}
