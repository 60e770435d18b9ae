import express, { type Express } from "express";
import { allowMethodsOf } from "../http/allow-methods.ts";
import { cachePolicy } from "../http/cache-control.ts";
import { apiErrorHandlers } from "../http/error-handler.ts";
import { healthRoutes } from "../http/health-routes.ts";
import type { SecurityHeaders } from "../http/security-headers.ts";
import type { Readiness } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";

export interface OpsContext {
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  securityHeaders: SecurityHeaders;
}

/** Creates the app of the operators' port, which shoppers can't reach: metrics and health checks. */
export function createOpsApp({ logger, metrics, readiness, securityHeaders }: OpsContext): Express {
  const app = express().disable("x-powered-by");
  app.use(healthRoutes(readiness, securityHeaders, true), securityHeaders.base, cachePolicy("page"));
  app.get("/metrics", async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app.use(allowMethodsOf(app.router), apiErrorHandlers(logger));
}
