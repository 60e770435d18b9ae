import { Router } from "express";
import {
  ServiceIndex,
  ServicePage,
  type ShownBody,
  type ShownCall,
  type ShownField,
  type ShownSchema,
} from "../../../client/pages/overview/ServicePages.tsx";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import {
  type DocumentedBody,
  type DocumentedHeader,
  listOperations,
  listServices,
  type Operation,
  readDocument,
  readDocumentText,
  type ServiceDocument,
} from "../../upstream/service-documents.ts";
import type { AppContext } from "../feature.ts";
import type { NavigateTeam } from "./team-navigation.ts";

/** The services: an index, a page for each, and its OpenAPI document as it was built. */
export function servicesRoute({ assets, texts }: AppContext, pages: PageRenderer, navigate: NavigateTeam): Router {
  const names = listServices();
  const documents = names.map((name) => ({ name, document: readDocument(name) }));
  const frame = {
    text: texts.translator("en", "openapi"),
    ...assets.filesOf({ styles: ["page.css", "overview.css"], scripts: ["copy-code.js"] }),
    services: documents.map(({ name, document: { info } }) => ({ name, title: info.title, summary: info.summary })),
  };
  const router = Router();
  router.get("/openapi", async (request, response) => {
    await pages.send(response, <ServiceIndex {...frame} navigation={navigate(request)} />);
  });
  router.get("/openapi/:service.json", (request, response, next) => {
    const { service } = request.params;
    if (!names.includes(service)) return next();
    response.setHeader("Content-Type", "application/json").end(readDocumentText(service));
  });
  router.get("/openapi/:service", async (request, response, next) => {
    const found = documents.find(({ name }) => name === request.params.service);
    if (!found) return next();
    const service = { name: found.name, ...showDocument(found.document) };
    await pages.send(response, <ServicePage {...frame} navigation={navigate(request)} service={service} />);
  });
  return router;
}

function showDocument(document: ServiceDocument) {
  const { info, components } = document;
  const schemas = Object.entries(components.schemas).map(([name, schema]) => ({ name, json: toJson(schema) }));
  return { ...info, calls: listOperations(document).map(showCall), schemas };
}

function showCall({ operationId, parameters = [], requestBody, responses, ...call }: Operation): ShownCall {
  return {
    id: operationId,
    method: call.method,
    path: call.path,
    summary: call.summary,
    description: call.description ?? "",
    parameters: parameters.map((parameter) => ({ ...showField(parameter.name, parameter), place: parameter.in })),
    bodies: showBodies(requestBody?.content),
    answers: Object.entries(responses).map(([status, { description, headers = {}, content }]) => ({
      status,
      description,
      headers: Object.entries(headers).map(([name, header]) => showField(name, header)),
      bodies: showBodies(content),
    })),
  };
}

function showField(name: string, { description, required = false, example }: DocumentedHeader): ShownField {
  const text = typeof example === "string" || example === undefined ? example : [example].flat().join("\n");
  return { name, isRequired: required, description, example: text ?? "" };
}

function showBodies(content: Record<string, DocumentedBody> = {}): ShownBody[] {
  return Object.entries(content).map(([mediaType, { schema, example, examples }]) => {
    const all = examples ? Object.values(examples).map(({ value }) => value) : [example];
    return {
      mediaType,
      examples: all.map((one) => (typeof one === "string" ? one : toJson(one))),
      schema: schema && showSchema(schema),
    };
  });
}

function showSchema(schema: object): ShownSchema {
  const name = "$ref" in schema ? String(schema.$ref).split("/").at(-1) : undefined;
  return name ? { name } : { json: toJson(schema) };
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
