import type { RequestHandler } from "express";

/** What all service calls have in common: their answers are kept nowhere. */
export function serviceCalls(): RequestHandler {
  return (_request, response, next) => {
    response.set("Cache-Control", "no-store");
    next();
  };
}
