import type { RequestHandler } from "express";
import { RequestError } from "../errors.ts";

/**
 * Refuses a form that another site's page sends. A browser that sends neither Sec-Fetch-Site nor Origin is let through.
 */
export function refuseCrossSite(): RequestHandler {
  return (request, _response, next) => {
    const fetchSite = request.get("Sec-Fetch-Site");
    const origin = request.get("Origin");
    const crossSite =
      fetchSite === undefined
        ? origin !== undefined && URL.parse(origin)?.host !== request.host
        : fetchSite !== "same-origin" && fetchSite !== "none";
    if (crossSite) throw new RequestError("forbidden", "the form doesn't come from a page of this origin");
    next();
  };
}
