import { Router } from "express";
import onHeaders from "on-headers";
import { answerOptionsOf } from "./allow-methods.ts";
import type { Protect } from "./security-headers.ts";
import { whoMayStore } from "./who-may-store.ts";

export interface Readiness {
  /** Whether the service takes requests; the process moves it from starting over ready to draining. */
  state: "starting" | "ready" | "draining";
  /** Whether the store answers, where there is one. The service is ready without it, as footers don't need it. */
  store?: "up" | "down";
}

/**
 * Answers whether the process runs at all (/livez), and whether it takes requests (/readyz).
 * @param tellsStore - whether the latter says how the store is, which only operators are told
 */
export function healthRoutes(readiness: Readiness, protect: Protect, tellsStore = false): Router {
  const router = Router();
  router.use((_request, response, next) => {
    // A request from before the signal must not keep its connection, either: test/server/http/health-routes.test.ts
    onHeaders(response, () => readiness.state === "draining" && response.setHeader("Connection", "close"));
    next();
  });
  router.use(answerOptionsOf(router));
  const headers = [whoMayStore(), protect("health")];
  router.get("/livez", ...headers, (_request, response) => {
    response.json({ status: "alive" });
  });
  router.get("/readyz", ...headers, (_request, response) => {
    const status = readiness.state === "ready" ? 200 : 503;
    response.status(status).json({ status: readiness.state, ...(tellsStore && { store: readiness.store }) });
  });
  return router;
}
