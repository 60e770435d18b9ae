import { Router } from "express";
import { listServices, readDocumentText } from "../../upstream/service-documents.ts";

/** The built OpenAPI documents of services and fragments. */
export function documentsRoute(): Router {
  const services = listServices();
  const router = Router();
  router.get("/openapi/:service.json", (request, response, next) => {
    const { service } = request.params;
    if (!services.includes(service)) return next();
    response.setHeader("Content-Type", "application/json").end(readDocumentText(service));
  });
  return router;
}
