import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createDocumentValidator } from "../../server/upstream/document-validator.ts";
import { exampleOf, listOperations, listServices, readDocument } from "../../server/upstream/service-documents.ts";

describe.each(listServices().map((service) => ({ service, document: readDocument(service) })))(
  "the OpenAPI document of $service",
  ({ document }) => {
    it("is valid, and refers to nothing outside of itself", async () => {
      expect(await new Validator().validate({ ...document })).toEqual({ valid: true });
      for (const [, target = ""] of JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)) {
        expect(target).toMatch(/^#\/components\/schemas\//);
        const names = target.split("/").slice(1);
        expect(
          names.reduce<unknown>((part, name) => Object(part)[name], document),
          target,
        ).toBeDefined();
      }
    });

    it("says where the service is, under which licence, and what a caller needs", () => {
      expect(document).toMatchObject({
        servers: [{ url: "/" }],
        info: { license: { name: "MIT", identifier: "MIT" } },
      });
      const needed = listOperations(document).flatMap(({ security }) => security.flatMap(Object.keys));
      expect(Object.keys(document.components.securitySchemes ?? {}).sort()).toEqual([...new Set(needed)].sort());
    });

    it("has a schema for each body, and a type for each schema's alternatives", () => {
      for (const { operationId, requestBody, responses } of listOperations(document))
        for (const holder of [requestBody, ...Object.values(responses)])
          for (const body of Object.values(holder?.content ?? {})) expect(body, operationId).toHaveProperty("schema");
      expect(JSON.stringify(document)).not.toContain('"else"');
    });

    it("has an id for each call, and an example of each header, cookie and answer, which fits its schema", () => {
      const operations = listOperations(document);
      expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
      for (const { operationId, parameters = [], requestBody, responses } of operations) {
        const answers = Object.values(responses);
        const bodies = [requestBody, ...answers].flatMap((holder) => Object.values(holder?.content ?? {}));
        const headers = answers.flatMap((answer) => Object.values(answer.headers ?? {}));
        for (const body of bodies) for (const example of examplesOf(body)) expectFit(operationId, body.schema, example);
        for (const described of [...parameters, ...headers]) {
          const example = exampleOf(described);
          if (example !== undefined) expectFit(operationId, described.schema, example);
        }
        // The schemas of fragments' parameters in a query have defaults and lists of values.
        const sent = parameters.filter((parameter) => parameter.in !== "query");
        for (const described of [...sent, ...headers]) expect(exampleOf(described), operationId).toBeDefined();
      }
    });

    function expectFit(operationId: string, schema: object, example: unknown) {
      const text = `${operationId}: ${JSON.stringify(example)}`;
      expect(createDocumentValidator(document, schema)(example), text).toMatchObject({ valid: true });
    }
  },
);

function examplesOf({ example, examples }: Parameters<typeof exampleOf>[0]): unknown[] {
  const all = examples ? Object.values(examples).map(({ value }) => value) : [example];
  expect(all).not.toContain(undefined);
  return all;
}
