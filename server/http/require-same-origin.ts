import type { RequestHandler } from "express";
import { RequestError } from "../errors.ts";
import { refuseCrossSite } from "./refuse-cross-site.ts";

/**
 * Refuses a form unless the browser says that a page of this origin sends it. It is for forms that sign in or out:
 * another site's form could sign a visitor in to an account whose owner then sees what the visitor does. Every browser
 * since 2020 sends Sec-Fetch-Site or Origin with a form, and those before send Referer.
 */
export function requireSameOrigin(): RequestHandler {
  const refuse = refuseCrossSite();
  return (request, response, next) => {
    const isSaid = request.get("Sec-Fetch-Site") !== undefined || request.get("Origin") !== undefined;
    const referrer = URL.parse(request.get("Referer") ?? "");
    if (!isSaid && (!referrer || referrer.host !== request.host))
      throw new RequestError("forbidden", "nothing says that the form comes from a page of this origin");
    refuse(request, response, next);
  };
}
