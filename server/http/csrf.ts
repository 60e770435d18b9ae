import type { Request, RequestHandler } from "express";
import { RequestError } from "../platform/errors.ts";

/**
 * Refuses a call unless a page of this origin makes it. The call must have the header X-hunter-csrf, which forms can't
 * send and other origins may not send, and the browser must name this origin as its source.
 */
export function requireCsrf(): RequestHandler {
  return (request, _response, next) => {
    if (!request.get("X-hunter-csrf")) throw new RequestError("forbidden", "the header X-hunter-csrf is missing");
    if (requestOrigin(request) !== "same-origin")
      throw new RequestError("forbidden", "the call doesn't come from a page of this origin");
    next();
  };
}

/**
 * Refuses a form unless the browser says that a page of this origin sends it. For forms that sign in or out, because
 * another site's form could sign a visitor in to the attacker's account. Every browser since 2020 sends Sec-Fetch-Site
 * or Origin with a form; older ones send Referer.
 */
export function requireSameOrigin(): RequestHandler {
  return (request, _response, next) => {
    const origin = requestOrigin(request) ?? compareOrigin(request, request.get("Referer")) ?? "foreign";
    if (origin === "foreign")
      throw new RequestError("forbidden", "there is no evidence that the form comes from a page of this origin");
    next();
  };
}

/** Refuses a form from another site's page. Allows browsers without Sec-Fetch-Site and Origin. */
export function refuseCrossSite(): RequestHandler {
  return (request, _response, next) => {
    if (requestOrigin(request) === "foreign")
      throw new RequestError("forbidden", "the form doesn't come from a page of this origin");
    next();
  };
}

/**
 * Returns the page that the browser names as the source of a request: one of this origin, none (a bookmark), or a
 * foreign one; undefined if it names nothing. Browsers without Sec-Fetch-Site send Origin:
 * https://web.dev/articles/fetch-metadata
 */
function requestOrigin(request: Request): "same-origin" | "none" | "foreign" | undefined {
  const fetchSite = request.get("Sec-Fetch-Site");
  if (fetchSite === undefined) return compareOrigin(request, request.get("Origin"));
  return fetchSite === "same-origin" || fetchSite === "none" ? fetchSite : "foreign";
}

function compareOrigin(request: Request, url: string | undefined): "same-origin" | "foreign" | undefined {
  if (url === undefined) return undefined;
  return URL.parse(url)?.host === request.host ? "same-origin" : "foreign";
}
