import type { RequestHandler } from "express";
import { setAudience } from "../http/who-may-store.ts";
import type { PreviewOf } from "../services/preview-of.ts";

/** Keeps answers to staff who preview from search engines and caches. */
export function hidePreviews(previewOf: PreviewOf): RequestHandler {
  return async (request, response, next) => {
    if (await previewOf(request)) {
      setAudience(response, "person");
      response.set("X-Robots-Tag", "noindex");
    }
    next();
  };
}
