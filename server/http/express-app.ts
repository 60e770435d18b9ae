import cookieParser from "cookie-parser";
import express, { type Express } from "express";
import type { Readiness } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { healthRoutes } from "./health-routes.ts";
import { requestLog } from "./request-log.ts";
import type { SecurityHeaders } from "./security-headers.ts";

interface ProcessContext {
  env: { trustProxy: string[] };
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  securityHeaders: SecurityHeaders;
}

/** Creates an app that reads cookies, and logs and measures every request except health checks. */
export function createExpressApp({ env, logger, metrics, readiness, securityHeaders }: ProcessContext): Express {
  // Turns off Express's ETag, because fragments and files have their own.
  const app = express().disable("x-powered-by").disable("etag").set("env", "production");
  app.set("query parser", "simple").set("trust proxy", env.trustProxy);
  return app.use(healthRoutes(readiness, securityHeaders), requestLog({ logger, metrics }), cookieParser());
}
