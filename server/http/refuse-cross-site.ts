import type { RequestHandler } from "express";
import { RequestError } from "../errors.ts";
import { sourceOf } from "./request-source.ts";

/**
 * Refuses a form that another site's page sends. A browser that sends neither Sec-Fetch-Site nor Origin is let through.
 */
export function refuseCrossSite(): RequestHandler {
  return (request, _response, next) => {
    if (sourceOf(request) === "foreign")
      throw new RequestError("forbidden", "the form doesn't come from a page of this origin");
    next();
  };
}
