import { type RequestHandler, Router } from "express";
import { allowMethods, allowMethodsOf } from "../http/allow-methods.ts";
import { cachePolicy } from "../http/cache-control.ts";
import type { OriginalAddressOf } from "../http/client-address.ts";
import { requireCsrf } from "../http/csrf.ts";
import { apiErrorHandlers } from "../http/error-handler.ts";
import { nameRoute } from "../http/request-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { ForwardRules } from "./forward-headers.ts";
import { createForwarder, type ServicePath } from "./forwarder.ts";
import type { Upstream } from "./upstream.ts";

/** A service below /service: the real one, if it is configured, else the routes of the embedded one. */
export interface ServiceCalls {
  name: string;
  /** The real service answers everything below these paths. */
  paths: readonly ServicePath[];
  /** The parts of visitors' requests that forwarded calls may carry. */
  allowed?: ForwardRules;
  /** Names of the cookies that no other service may set. */
  ownCookies?: readonly string[];
  /** The real service; undefined where the embedded one answers. */
  upstream: Upstream | undefined;
  /** Handles every call before the embedded or real service gets it. */
  guard?: RequestHandler;
  /** Answers the calls; empty where the real service does. */
  routes: readonly Router[];
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
  { logger, originalAddressOf }: { logger: Logger; originalAddressOf: OriginalAddressOf },
  noStoreForPreviews: RequestHandler,
): Router {
  const router = Router();
  for (const { guard } of services) if (guard) router.use(guard);
  router.use(upstreamRoutes(services, originalAddressOf));
  router.use("/service", cachePolicy("page"), noStoreForPreviews);
  const calls = Router();
  for (const routes of services.flatMap((service) => service.routes)) calls.use(routes);
  return router.use(calls, allowMethodsOf(calls)).use("/service", apiErrorHandlers(logger));
}

/** Forwards the calls of every service that is a real one. */
function upstreamRoutes(services: readonly ServiceCalls[], originalAddressOf: OriginalAddressOf): Router {
  const router = Router();
  const refuse = requireCsrf();
  for (const { name, paths, allowed = {}, upstream } of services) {
    if (!upstream) continue;
    const others = services.filter((service) => service.name !== name);
    const foreignCookies = others.flatMap(({ ownCookies = [] }) => ownCookies);
    for (const options of paths) {
      const { path, openToAll } = options;
      const refuseOthers: RequestHandler = (request, response, next) => {
        const isOpen = request.method === "POST" && openToAll?.test(request.path);
        if (isOpen || safeMethods.includes(request.method)) next();
        else refuse(request, response, next);
      };
      const forwarder = createForwarder({ ...options, name, upstream, allowed, foreignCookies, originalAddressOf });
      router.use(path, nameRoute(`${path}/*`), cachePolicy("private"), forwardedMethods, refuseOthers, forwarder);
    }
  }
  return router;
}
