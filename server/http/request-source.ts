import type { Request } from "express";

/**
 * Tells what the browser says of the page that sends a request: one of this origin, no page at all, such as a bookmark,
 * or a foreign one; undefined when it says nothing. Browsers that don't send Sec-Fetch-Site do send Origin:
 * https://web.dev/articles/fetch-metadata
 */
export function sourceOf(request: Request): "same-origin" | "none" | "foreign" | undefined {
  const fetchSite = request.get("Sec-Fetch-Site");
  if (fetchSite === undefined) return originIs(request, request.get("Origin"));
  return fetchSite === "same-origin" || fetchSite === "none" ? fetchSite : "foreign";
}

/** Compares the origin of an address, or of an origin itself, with the request's own; undefined without an address. */
export function originIs(request: Request, address: string | undefined): "same-origin" | "foreign" | undefined {
  if (address === undefined) return undefined;
  return URL.parse(address)?.host === request.host ? "same-origin" : "foreign";
}
