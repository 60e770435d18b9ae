import express, { type Express } from "express";
import { healthRoutes, type Readiness } from "./http/health-routes.ts";
import type { Metrics } from "./metrics.ts";

/** Creates the app of the operators' own port, which shoppers can't reach: it answers metrics and health. */
export function createOpsApp(metrics: Metrics, readiness: Readiness): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(healthRoutes(readiness));
  app.get("/metrics", async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
