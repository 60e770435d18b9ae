import { type RequestHandler, Router } from "express";
import { allowMethods, allowMethodsOf, answerOptionsOf } from "../http/allow-methods.ts";
import { cachePolicy } from "../http/cache-control.ts";
import { requireCsrf } from "../http/csrf.ts";
import { apiErrorHandlers } from "../http/error-handler.ts";
import { nameRoute } from "../http/request-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import type { ForwardRules, SourceContext } from "./forward-headers.ts";
import { createForwarder, type ServicePath } from "./forwarder.ts";
import type { SiteUpstreams } from "./site-upstreams.ts";

/** A service below /service: on each site the real one, if it is configured, else the routes of the embedded one. */
export interface ServiceCalls {
  name: string;
  /** The real service answers everything below these paths. */
  paths: readonly ServicePath[];
  /** The parts of visitors' requests that forwarded calls may carry. */
  allowed?: ForwardRules;
  /** Names of the cookies that no other service may set. */
  ownCookies?: readonly string[];
  upstreams: SiteUpstreams;
  /** Handles every call before the embedded or real service gets it. */
  guard?: RequestHandler;
  /** Answers the calls of the sites without a real service; empty if each site has one. */
  routes: readonly Router[];
}

interface ServiceContext extends SourceContext {
  logger: Logger;
  siteOf: Pick<SiteResolver, "call" | "host">;
}

/** The methods of calls that change nothing. */
const safeMethods = ["GET", "HEAD", "OPTIONS"];
const forwardedMethods = allowMethods([...safeMethods, "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Answers everything below /service: calls of real services are forwarded, those of embedded ones are answered here, and
 * unknown calls and errors are JSON. Pages below /service are left to the next handler.
 * @param noStoreForPreviews - sets the cache policy of what staff preview; a real service sets its own
 */
export function serviceRoutes(
  services: readonly ServiceCalls[],
  context: ServiceContext,
  noStoreForPreviews: RequestHandler,
): Router {
  const router = Router();
  for (const { guard } of services) if (guard) router.use(guard);
  router.use(upstreamRoutes(services, context));
  router.use("/service", cachePolicy("page"), noStoreForPreviews);
  const calls = Router();
  for (const routes of services.flatMap((service) => service.routes)) calls.use(routes);
  const embedded = Router().use(answerOptionsOf(calls), calls, allowMethodsOf(calls));
  // In a function, so that the app doesn't answer OPTIONS for its routes: on some sites they may be those of a real service.
  router.use((request, response, next) => embedded(request, response, next));
  return router.use("/service", apiErrorHandlers(context.logger));
}

/** Forwards the calls of sites with a real service. */
function upstreamRoutes(services: readonly ServiceCalls[], context: ServiceContext): Router {
  const { siteOf } = context;
  const router = Router();
  const refuse = requireCsrf();
  for (const { name, paths, allowed = {}, upstreams } of services) {
    const others = services.filter((service) => service.name !== name);
    const foreignCookies = others.flatMap(({ ownCookies = [] }) => ownCookies);
    for (const upstream of upstreams.all) {
      if (!upstream) continue;
      // A service of all sites may know more sites than there are here.
      const isForAll = upstreams.all.size === 1;
      const skipOtherSites: RequestHandler = (request, _response, next) =>
        next(isForAll || upstreams.of(siteOf.call(request)) === upstream ? undefined : "router");
      for (const options of paths) {
        const { path, openToAll } = options;
        const refuseOthers: RequestHandler = (request, response, next) => {
          const isOpen = request.method === "POST" && openToAll?.test(request.path);
          if (isOpen || safeMethods.includes(request.method)) next();
          else refuse(request, response, next);
        };
        const forwarder = createForwarder({ ...context, ...options, name, upstream, allowed, foreignCookies });
        const calls = Router().use(skipOtherSites, nameRoute(`${path}/*`), cachePolicy("private"));
        router.use(path, calls.use(forwardedMethods, refuseOthers, forwarder));
      }
    }
  }
  return router;
}
