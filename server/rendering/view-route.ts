import express, { Router } from "express";
import { day, type Milliseconds } from "../../client/rules/time.ts";
import { refuseCrossSite } from "../http/csrf.ts";
import { RequestError } from "../platform/errors.ts";

/** The value of the platform cookie for each view. */
const platforms = new Map([
  ["mobile", "smartphone"],
  ["desktop", "desktop"],
]);
/** How long the browser keeps the choice. */
const choiceAge: Milliseconds = 30 * day;

/** The route of the view changer: stores the visitor's choice in the platform cookie, and redirects back. */
export function viewRoute(): Router {
  const router = Router();
  router.post(
    "/view",
    refuseCrossSite(),
    express.urlencoded({ extended: false, limit: "1kb", parameterLimit: 10 }),
    (request, response) => {
      const platform = platforms.get(request.body?.view);
      if (!platform) throw new RequestError("badRequest", "view must be mobile or desktop");
      response.cookie("platform", platform, { maxAge: choiceAge, sameSite: "lax", secure: request.secure });
      response.redirect(303, pathBack(request.get("Referer"), request.get("Host")));
    },
  );
  return router;
}

/** Returns the path of the referring page, or of the home page unless that is of the same host: no open redirect. */
function pathBack(referrer: string | undefined, host: string | undefined): string {
  const url = referrer ? URL.parse(referrer) : null;
  if (!url || url.host !== host) return "/";
  return `/${url.pathname.replace(/^[/\\]+/, "")}${url.search}`;
}
