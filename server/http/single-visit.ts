import type { Request, RequestHandler } from "express";
import { RequestError } from "../platform/errors.ts";
import { allowMethods } from "./allow-methods.ts";

/**
 * Refuses prefetching and prerendering, because the visitor may never open the page: it would renew the session and use
 * up the stored path. The browser requests it again when it is opened
 * (https://html.spec.whatwg.org/multipage/speculative-loading.html#the-sec-purpose-header).
 * @throws RequestError if the browser prefetches or prerenders the page
 */
export function refuseAhead(request: Request): void {
  if (request.get("Sec-Purpose")?.startsWith("prefetch"))
    throw new RequestError("forbidden", "a session isn't continued before its visitor opens the page");
}

const onlyGet = allowMethods(["GET"]);

/** Guards a page that counts once: a request for its headers alone, or ahead of a visit, would use it up. */
export const singleVisit: RequestHandler = (request, response, next) => {
  if (request.method === "HEAD") return onlyGet(request, response, next);
  refuseAhead(request);
  next();
};
