import { Router } from "express";
import onHeaders from "on-headers";
import type { Readiness } from "../platform/lifecycle.ts";
import { allowMethods } from "./allow-methods.ts";
import { cachePolicy } from "./cache-control.ts";
import type { SecurityHeaders } from "./security-headers.ts";

/**
 * Answers /livez (the process runs) and /readyz (it accepts requests).
 * @param showStore - whether /readyz shows the state of the database, which only operators may see
 */
export function healthRoutes(readiness: Readiness, { base }: SecurityHeaders, showStore = false): Router {
  const router = Router();
  router.use((_request, response, next) => {
    // Checked when the headers are written, because requests from before the signal must also close their connections.
    onHeaders(response, () => readiness.state === "draining" && response.setHeader("Connection", "close"));
    next();
  });
  const headers = [base, cachePolicy("page")];
  router.get("/livez", ...headers, (_request, response) => {
    response.json({ status: "alive" });
  });
  router.get("/readyz", ...headers, (_request, response) => {
    const status = readiness.state === "ready" ? 200 : 503;
    response.status(status).json({ status: readiness.state, ...(showStore && { store: readiness.store }) });
  });
  router.options(["/livez", "/readyz"], allowMethods(["GET", "HEAD"]));
  return router;
}
