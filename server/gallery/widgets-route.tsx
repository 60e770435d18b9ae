import { Router } from "express";
import { GalleryPage } from "../../client/gallery/GalleryPage.tsx";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import { buildGalleryProps, type GallerySources } from "./gallery-props.ts";

/** Answers the gallery, which documents the widgets. */
export function widgetsRoute({ pages, ...sources }: GallerySources & { pages: PageRenderer }): Router {
  const router = Router();
  router.get("/widgets", async (_request, response) => {
    await pages.sendKept(response, "/widgets", () => ({ page: <GalleryPage {...buildGalleryProps(sources)} /> }));
  });
  return router;
}
