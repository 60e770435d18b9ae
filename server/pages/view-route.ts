import express, { Router } from "express";
import { RequestError } from "../errors.ts";

const platforms = new Map([
  ["mobile", "smartphone"],
  ["desktop", "desktop"],
]);
const thirtyDays = 30 * 24 * 60 * 60 * 1000;

/** The view changer: keeps the visitor's choice in the platform cookie and goes back to where they were. */
export function viewRoute(): Router {
  const router = Router();
  router.post(
    "/view",
    express.urlencoded({ extended: false, limit: "1kb", parameterLimit: 10 }),
    (request, response) => {
      const platform = platforms.get(request.body?.view);
      if (!platform) throw new RequestError("badRequest", "view must be mobile or desktop");
      response.cookie("platform", platform, { maxAge: thirtyDays, sameSite: "lax", secure: request.secure });
      response.redirect(303, pathBack(request.get("Referer"), request.get("Host")));
    },
  );
  return router;
}

/** The path of a referring page of the same host, else the home page: nobody is sent to another site. */
function pathBack(referrer: string | undefined, host: string | undefined): string {
  const url = referrer ? URL.parse(referrer) : null;
  if (!url || url.host !== host) return "/";
  return `/${url.pathname.replace(/^[/\\]+/, "")}${url.search}`;
}
