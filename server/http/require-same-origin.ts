import type { RequestHandler } from "express";
import { RequestError } from "../errors.ts";
import { originIs, sourceOf } from "./request-source.ts";

/**
 * Refuses a form unless the browser says that a page of this origin sends it. It is for forms that sign in or out:
 * another site's form could sign a visitor in to an account whose owner then sees what the visitor does. Every browser
 * since 2020 sends Sec-Fetch-Site or Origin with a form, and those before send Referer.
 */
export function requireSameOrigin(): RequestHandler {
  return (request, _response, next) => {
    const source = sourceOf(request) ?? originIs(request, request.get("Referer")) ?? "foreign";
    if (source === "foreign")
      throw new RequestError("forbidden", "nothing says that the form comes from a page of this origin");
    next();
  };
}
