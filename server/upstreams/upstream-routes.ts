import { type RequestHandler, Router } from "express";
import type { OriginalAddressOf } from "../http/original-address.ts";
import { nameRoute } from "../http/request-log.ts";
import { requireCsrf } from "../http/require-csrf.ts";
import { unlessSaid } from "../http/who-may-store.ts";
import type { Logger } from "../logger.ts";
import { type RealService, realServices, type UpstreamOrigins } from "../services/real-services.ts";
import { createForwarder } from "./forwarder.ts";

/** The methods of calls that change nothing. */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Forwards the calls of every service that has an origin; the routes mounted behind answer those of the others. */
export function upstreamRoutes(origins: UpstreamOrigins, originalAddressOf: OriginalAddressOf, logger: Logger): Router {
  const router = Router();
  for (const service of realServices) {
    const origin = origins[service.name];
    if (origin) forward(service, origin);
  }
  return router;

  function forward({ name, paths, allowed }: RealService, origin: string) {
    for (const { path, openToAll, ...options } of paths) {
      const forwarder = createForwarder({ ...options, name, origin, originalAddressOf, logger, allowed });
      router.use(path, nameRoute(`${path}/*`), unlessSaid("page"), refuseChanges(openToAll), forwarder);
    }
  }
}

/**
 * Refuses a call that may change something unless a page of the same origin makes it.
 * @param openToAll - the paths at which everybody may make a POST
 */
function refuseChanges(openToAll: RegExp | undefined): RequestHandler {
  const refuse = requireCsrf();
  return (request, response, next) => {
    const { method, path } = request;
    if (safeMethods.has(method) || (method === "POST" && openToAll?.test(path))) next();
    else refuse(request, response, next);
  };
}
