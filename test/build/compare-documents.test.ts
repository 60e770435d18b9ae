import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBreakingChanges } from "../../deploy/release/compare-documents.ts";
import type { DocumentedCall, ServiceDocument } from "../../server/upstream/service-documents.ts";

/** Creates a document with a call that has one of everything. */
function createDocument() {
  const call = {
    operationId: "order",
    summary: "Orders coffee",
    security: [],
    parameters: [
      { name: "kind", in: "query", description: "The kind.", required: true, schema: { enum: ["beans", "ground"] } },
    ],
    requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
    responses: {
      "200": {
        description: "Ordered.",
        headers: { "Set-Cookie": { description: "The order.", required: true, schema: { type: "string" } } },
        content: { "application/json": { schema: { $ref: "#/components/schemas/Receipt" } } },
      },
      "404": { description: "There is none." },
    },
  } satisfies DocumentedCall;
  const order = {
    type: "object",
    additionalProperties: false,
    required: ["bags", "name"],
    properties: {
      bags: { type: "integer", maximum: 10 },
      name: { type: "string", maxLength: 20 },
      size: { enum: ["S", "L"] },
    },
  };
  const receipt = {
    type: "object",
    required: ["number"],
    properties: { number: { type: "string" }, items: { type: "array", items: { type: "string" } }, paid: {} },
  };
  const license = { name: "MIT", identifier: "MIT" };
  const info = { title: "Coffee", summary: "Coffee.", description: "", version: "1.0.0", license };
  const document = {
    info,
    servers: [{ url: "/" }],
    paths: { "/orders": { post: call } },
    components: { schemas: { Order: order, Receipt: receipt } },
  };
  return { document: document as ServiceDocument, call: call as DocumentedCall, order, receipt };
}

type Change = (parts: ReturnType<typeof createDocument>) => unknown;

function changesOf(change: Change): string[] {
  const after = createDocument();
  change(after);
  return findBreakingChanges(createDocument().document, after.document);
}

describe("a change that breaks callers or real services", () => {
  it.each<[string, Change]>([
    ["POST /orders: the call is gone", ({ document }) => delete document.paths["/orders"]],
    ["POST /orders 404: the status is gone", ({ call }) => delete call.responses["404"]],
    ["POST /orders 200 Set-Cookie: the header is gone", ({ call }) => delete call.responses["200"]?.headers],
    ["POST /orders 200: application/json is gone", ({ call }) => delete call.responses["200"]?.content],
    ["POST /orders query kind: the parameter is gone", ({ call }) => delete call.parameters],
    ["POST /orders query kind: enum", ({ call }) => set(call.parameters?.[0]?.schema, { enum: ["beans"] })],
    [
      "POST /orders header X-Shop: the parameter is new, and required",
      ({ call }) =>
        call.parameters?.push({ name: "X-Shop", in: "header", description: "", required: true, schema: {} }),
    ],
    ["POST /orders body: it is required", ({ call }) => set(call.requestBody, { required: true })],
    ["POST /orders body: required", ({ order }) => order.required.push("size")],
    ["POST /orders body/size: the field is gone", ({ order }) => Reflect.deleteProperty(order.properties, "size")],
    ["POST /orders body/size: enum", ({ order }) => order.properties.size.enum.pop()],
    ["POST /orders body/name: maxLength", ({ order }) => set(order.properties.name, { maxLength: 19 })],
    ["POST /orders body/name: pattern", ({ order }) => set(order.properties.name, { pattern: "^a" })],
    ["POST /orders 200: required", ({ receipt }) => receipt.required.pop()],
    ["POST /orders 200: required", ({ receipt }) => receipt.required.push("items")],
    ["POST /orders 200/number: type", ({ receipt }) => set(receipt.properties.number, { type: ["string", "null"] })],
    ["POST /orders 200/items/items: type", ({ receipt }) => set(receipt.properties.items.items, { type: "integer" })],
  ])("is found: %s", (line, change) => {
    expect(changesOf(change)).toEqual([expect.stringContaining(line)]);
  });
});

describe("a change that breaks nothing", () => {
  it.each<[string, Change]>([
    ["a new call", ({ document, call }) => set(document.paths, { "/bags": { get: call } })],
    ["a new status", ({ call }) => set(call.responses, { "429": { description: "Too many." } })],
    [
      "a new optional parameter",
      ({ call }) => call.parameters?.push({ name: "x", in: "query", description: "", schema: {} }),
    ],
    ["a parameter that isn't required any more", ({ call }) => set(call.parameters?.[0], { required: false })],
    ["a new optional field of a request", ({ order }) => set(order.properties, { grind: { type: "string" } })],
    ["a request that needs less", ({ order }) => order.required.pop()],
    ["a request that takes more values", ({ order }) => order.properties.size.enum.push("XL")],
    ["a request that takes more types", ({ order }) => set(order.properties.name, { type: ["null", "string"] })],
    ["a request that takes longer texts", ({ order }) => set(order.properties.name, { maxLength: 21 })],
    ["a new optional field of an answer", ({ receipt }) => set(receipt.properties, { sum: { type: "number" } })],
    ["other words", ({ call, receipt }) => [set(call, { summary: "Buys" }), set(receipt, { description: "Paid." })]],
  ])("isn't found: %s", (_what, change) => {
    expect(changesOf(change)).toEqual([]);
  });
});

it("a change that breaks needs a new major version, until the release's documents are written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "documents-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = resolve("deploy/release/compare-documents.ts");
  const run = (...options: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [script, ...options], { cwd: folder, encoding: "utf8" });
    return { status, stderr };
  };
  const write = (file: string, content: object) => writeFile(join(folder, file), JSON.stringify(content));
  for (const name of ["dist/schemas/openapi", "schemas/released"]) await mkdir(join(folder, name), { recursive: true });
  const { document } = createDocument();
  await write("schemas/released/coffee.json", document);
  await write("dist/schemas/openapi/coffee.json", { ...document, paths: {} });
  await write("package.json", { version: "1.9.0" });
  expect(run()).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^coffee\.json: .*1\.0\.0.*\n.*the call is gone\n$/),
  });
  await write("package.json", { version: "2.0.0" });
  expect(run()).toEqual({ status: 0, stderr: "" });
  expect(run("--write")).toEqual({ status: 0, stderr: "" });
  await write("package.json", { version: "1.9.0" });
  expect(run()).toEqual({ status: 0, stderr: "" });
});

function set(target: object | undefined, changes: object): void {
  Object.assign(target ?? expect.fail("there is nothing to change"), changes);
}
