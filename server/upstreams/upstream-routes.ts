import { Router } from "express";
import { nameRoute } from "../http/request-log.ts";
import type { Logger } from "../logger.ts";
import { realServices, type UpstreamOrigins } from "../services/real-services.ts";
import { createForwarder } from "./forwarder.ts";

/** Forwards the calls of every service that has an origin; the routes mounted behind answer those of the others. */
export function upstreamRoutes(origins: UpstreamOrigins, logger: Logger): Router {
  const router = Router();
  for (const { name, paths } of realServices) {
    const origin = origins[name];
    if (!origin) continue;
    for (const { path, ...options } of paths) {
      router.use(path, nameRoute(`${path}/*`), createForwarder({ ...options, name, origin, logger }));
    }
  }
  return router;
}
