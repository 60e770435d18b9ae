import { Router } from "express";
import { GalleryPage } from "../../client/gallery/GalleryPage.tsx";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import { buildGalleryProps, type GallerySources } from "./gallery-props.ts";

/** The gallery of widgets, which is the kit's documentation. */
export function widgetsRoute({ pages, ...sources }: GallerySources & { pages: PageRenderer }): Router {
  const router = Router();
  router.get("/widgets", async (_request, response) => {
    await pages.send(response, <GalleryPage {...buildGalleryProps(sources)} />);
  });
  return router;
}
