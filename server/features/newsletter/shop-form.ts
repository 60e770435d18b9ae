import type { Request } from "express";
import { refuseCrossSite } from "../../http/csrf.ts";
import { formBody } from "../../http/request-input.ts";
import type { Site } from "../../sites/countries.ts";
import type { NewsletterCaller } from "./service.ts";

/** Creates the handlers that read a form of the newsletter's pages, and refuse one of another site's pages. */
export function formOfShop() {
  return [refuseCrossSite(), formBody()];
}

export function callerOf(request: Request, site: Site): NewsletterCaller {
  return { site, address: request.ip };
}
