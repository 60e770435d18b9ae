import { type RequestHandler, Router } from "express";
import { nameRoute } from "../http/request-log.ts";
import { requireCsrf } from "../http/require-csrf.ts";
import { unlessSaid } from "../http/who-may-store.ts";
import { type RealService, realServices } from "../services/real-services.ts";
import { createForwarder, type ForwarderDeps } from "./forwarder.ts";
import type { Upstreams } from "./open-upstreams.ts";
import type { Upstream } from "./upstream.ts";

/** The methods of calls that change nothing. */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Forwards the calls of every service that is a real one; the routes mounted behind answer those of the others. */
export function upstreamRoutes(upstreams: Upstreams, deps: ForwarderDeps): Router {
  const router = Router();
  const services: readonly RealService[] = realServices;
  for (const service of realServices) {
    const upstream = upstreams[service.name];
    if (upstream) forward(service, upstream);
  }
  return router;

  function forward({ name, paths, allowed }: RealService, upstream: Upstream) {
    const others = services.filter((service) => service.name !== name);
    const foreignCookies = others.flatMap(({ ownCookies = [] }) => ownCookies);
    for (const { path, openToAll, ...options } of paths) {
      const forwarder = createForwarder({ ...deps, ...options, ...upstream, name, allowed, foreignCookies });
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
