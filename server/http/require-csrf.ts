import type { RequestHandler } from "express";
import { RequestError } from "../errors.ts";
import { sourceOf } from "./request-source.ts";

/**
 * Refuses a call that changes something unless a page of the same origin makes it. Such a call has the header
 * X-hunter-csrf, which no form can send and no other origin may, and the browser says that it comes from this origin.
 */
export function requireCsrf(): RequestHandler {
  return (request, _response, next) => {
    if (!request.get("X-hunter-csrf")?.trim())
      throw new RequestError("forbidden", "the header X-hunter-csrf is missing");
    if (sourceOf(request) !== "same-origin")
      throw new RequestError("forbidden", "the call doesn't come from a page of this origin");
    next();
  };
}
