import express, { type Express } from "express";
import { allowMethodsOf } from "./http/allow-methods.ts";
import { healthRoutes, type Readiness } from "./http/health-routes.ts";
import type { Protect } from "./http/security-headers.ts";
import { serviceErrorHandlers } from "./http/service-error-handlers.ts";
import { whoMayStore } from "./http/who-may-store.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

interface OpsDeps {
  logger: Logger;
  metrics: Metrics;
  protect: Protect;
  readiness: Readiness;
}

/** Creates the app of the operators' own port, which shoppers can't reach: it answers metrics and health. */
export function createOpsApp({ logger, metrics, protect, readiness }: OpsDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(healthRoutes(readiness, protect, true), whoMayStore(), protect("metrics"));
  app.get("/metrics", async (_request, response) => {
    metrics.ready.set(readiness.state === "ready" ? 1 : 0);
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.use(allowMethodsOf(app.router), serviceErrorHandlers(logger));
  return app;
}
