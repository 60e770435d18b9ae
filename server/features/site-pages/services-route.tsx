import { Router } from "express";
import { ServiceIndex, ServicePage } from "../../../client/pages/overview/ServicePages.tsx";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import { listOperations, listServices, readDocument, readDocumentText } from "../../upstream/service-documents.ts";
import type { AppContext } from "../feature.ts";
import type { NavigateTeam } from "./team-navigation.ts";

/** The services: an index, a page for each, and its OpenAPI document as it was built. */
export function servicesRoute({ assets, texts }: AppContext, pages: PageRenderer, navigate: NavigateTeam): Router {
  const services = listServices().map((name) => {
    const document = readDocument(name);
    return { name, ...document.info, calls: listOperations(document), schemas: document.components.schemas };
  });
  const frame = {
    text: texts.translator("en", "openapi"),
    ...assets.filesOf({ styles: ["page.css", "overview.css"], scripts: ["copy-code.js"] }),
    services,
  };
  const find = (name: string) => services.find((service) => service.name === name);
  const router = Router();
  router.get("/openapi", async (request, response) => {
    await pages.send(response, <ServiceIndex {...frame} navigation={navigate(request)} />);
  });
  router.get("/openapi/:service.json", (request, response, next) => {
    const service = find(request.params.service);
    if (!service) return next();
    response.setHeader("Content-Type", "application/json").end(readDocumentText(service.name));
  });
  router.get("/openapi/:service", async (request, response, next) => {
    const service = find(request.params.service);
    if (!service) return next();
    await pages.send(response, <ServicePage {...frame} navigation={navigate(request)} service={service} />);
  });
  return router;
}
