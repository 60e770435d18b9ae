import { readFileSync } from "node:fs";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { listOperations, listServices, readDocument } from "../../../../server/upstream/service-documents.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import { createTestApp } from "../../../support/test-app.ts";

const { app } = await createTestApp();
const services = listServices();

async function open(path: string) {
  const { text } = await request(app).get(path).expect(200).expect("Content-Type", /html/);
  expect(markupFaults(text)).toEqual([]);
  return load(text);
}

it("the index links to the page of each service", async () => {
  const $ = await open("/openapi");
  const links = $("main h2 a").map((_index, link) => $(link).attr("href"));
  expect(links.get()).toEqual(services.map((service) => `/openapi/${service}`));
});

describe.each(services)("the page of %s", async (service) => {
  const document = readDocument(service);
  const $ = await open(`/openapi/${service}`);

  it("shows every call with its parameters, and every answer with its headers", () => {
    for (const { operationId, method, path, parameters = [], responses } of listOperations(document)) {
      const call = $(`#${operationId}`);
      expect(call.text()).toContain(`${method} ${path}`);
      const codes = call.find("dt code").map((_index, code) => $(code).text());
      const headers = Object.values(responses).flatMap((answer) => Object.keys(answer.headers ?? {}));
      expect(codes.get()).toEqual([...parameters.map(({ name }) => name), ...headers]);
      const statuses = call.find("summary strong").map((_index, status) => $(status).text());
      expect(statuses.get()).toEqual(Object.keys(responses));
    }
  });

  it("links to schemas that it shows, and to the document", () => {
    for (const link of $("main a[href^='#']").toArray()) expect($($(link).attr("href") ?? "")).toHaveLength(1);
    expect($(`main a[href="/openapi/${service}.json"]`)).toHaveLength(1);
  });

  it("comes with the document, byte for byte as it was built", async () => {
    const { text } = await request(app).get(`/openapi/${service}.json`).expect("Content-Type", "application/json");
    expect(text).toBe(readFileSync(`dist/schemas/openapi/${service}.json`, "utf8"));
  });
});

it("none exists where the overview doesn't, or for another name", async () => {
  const { app: without } = await createTestApp({ overview: false });
  for (const path of ["/openapi", "/openapi/login", "/openapi/login.json"])
    await request(without).get(path).expect(404);
  for (const name of ["unknown", "unknown.json", "..%2fenv.schema.json"])
    await request(app).get(`/openapi/${name}`).expect(404);
});
