import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { load } from "cheerio";
import { afterAll, expect, it } from "vitest";
import { edgeRoutes, servicePaths } from "../../server/http/edge-routes.ts";
import { createValidator } from "../../server/platform/validate.ts";
import {
  type DocumentedResponse,
  listOperations,
  listServices,
  readDocument,
} from "../../server/upstream/service-documents.ts";
import { createTestApp } from "../support/test-app.ts";
import { loadOwnShop, writeShop } from "../support/write-shop.ts";
import { codeIn, documentAt, rowsOf } from "./read-documents.ts";

const { app, deps } = await createTestApp();
const server = createServer(app).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close());

it("name addresses of fragments that answer, with what the composer looks for", async () => {
  const paths = ["html", "js"].flatMap((language) =>
    codeIn(language).flatMap((code) => [...code.matchAll(/"(?:http:\/\/fragments:3000)?(\/fragments\/[^"]+)"/g)]),
  );
  expect(paths.length).toBeGreaterThan(5);
  for (const [, path] of paths) {
    const response = await fetch(origin + path);
    expect(response.status, path).toBe(200);
    if (path?.endsWith("manifest.json")) expect(await response.json()).toMatchObject({ name: "footer" });
    else expect(load(await response.text())("footer[data-fragment=footer]")).toHaveLength(1);
  }
});

it("route what a fragment's data say, and below /service/ the same as the recipes", () => {
  const listed = rowsOf("docs/include.md", "Routes").flatMap(([cell = ""]) =>
    [...cell.matchAll(/`([^`…]+)…?`/g)].map(([, path]) => path),
  );
  expect(listed.toSorted()).toEqual(edgeRoutes.toSorted());
  for (const recipe of ["nginx.conf", "varnish.vcl", "cloudflare-worker.mjs"]) {
    const code = readFileSync(`deploy/edge/${recipe}`, "utf8").replaceAll("\\/", "/");
    const routed = [...code.matchAll(/service\/\(([^)]+)\)/g)].flatMap(([, paths = ""]) => paths.split("|"));
    expect(routed.toSorted(), recipe).toEqual(servicePaths.toSorted());
  }
});

it("route what the footer loads and links to in this service, and leave the shop's own pages alone", async () => {
  const routed = rowsOf("docs/include.md").flatMap(([cell = ""]) =>
    [...cell.matchAll(/`(\/[\w./-]+)`/g)].map(([, path = ""]) => path),
  );
  const isRouted = (path: string) =>
    routed.some((known) => (known.endsWith("/") ? path.startsWith(known) : path === known));
  for (const { site } of deps.countries.sites) {
    const $ = load(await (await fetch(`${origin}/fragments/footer/${site}`)).text());
    const loaded = $("link[href], script[src], img[src], form[action], use[href]")
      .map((_index, element) => $(element).attr("href") ?? $(element).attr("src") ?? $(element).attr("action"))
      .get()
      .map((address) => new URL(address, origin));
    expect(loaded.filter(({ pathname }) => !isRouted(pathname)).map(String), site).toEqual([]);
    const links = $("a[href^='/']")
      .map((_index, link) => new URL($(link).attr("href") ?? "", origin).pathname)
      .get();
    for (const path of new Set(links.filter(isRouted))) {
      expect((await fetch(origin + path)).status, path).toBe(200);
    }
  }
});

it("show a whole country, which a shop can have alone", async () => {
  const [country = ""] = codeIn("ts").filter((code) => code.includes("satisfies Country"));
  const { countries } = await loadOwnShop(await writeShop({ "countries/li.ts": country }));
  expect(countries.sites.map(({ site }) => site)).toEqual(["LI"]);
});

it("show a call of each service by the examples of its document", () => {
  const services = listServices().filter((service) => service !== "fragments");
  const calls = services.flatMap((service) =>
    listOperations(readDocument(service)).map((operation) => ({ service, ...operation })),
  );
  const exchanges = documentAt("docs/services.md").blocks.filter(({ language }) => language === "http");
  const shown = exchanges.map(({ code }) => {
    const [request, answer] = code.split(/^(?=HTTP\/)/m).map(readMessage);
    const [method, address = ""] = request?.words ?? [];
    const [path = ""] = address.split("?");
    const call = calls.find((candidate) => candidate.method === method && candidate.pattern.test(path));
    const response = call?.responses[answer?.words[1] ?? ""];
    const parameters = call?.parameters?.map(({ name, in: place }) => (place === "cookie" ? "Cookie" : name));
    expect(parameters, address).toEqual(expect.arrayContaining(request?.headers ?? []));
    expect(Object.keys(response?.headers ?? {}), address).toEqual(expect.arrayContaining(answer?.headers ?? []));
    // A part of an example's fields is enough.
    if (request?.body) expect(exampleOf(call?.requestBody?.content), address).toMatchObject(request.body);
    expect(exampleOf(response?.content), address).toMatchObject(answer?.body);
    return call?.service;
  });
  expect(shown.toSorted()).toEqual(services.toSorted());
});

/** Reads a message of HTTP: the words of its first line, the names of its headers but the body's, the body. */
function readMessage(text: string) {
  const [head = "", body] = text.trim().split("\n\n");
  const [start = "", ...lines] = head.split("\n");
  const headers = lines.map((line) => line.replace(/:.*/, "")).filter((name) => name !== "Content-Type");
  return { words: start.split(" "), headers, body: body && JSON.parse(body) };
}

/** Returns the first example of a body of JSON. */
function exampleOf(content: DocumentedResponse["content"]) {
  const { example, examples = {} } = content?.["application/json"] ?? {};
  return example ?? Object.values(examples)[0]?.value;
}

it("show an event of the newsletter and a report as their schemas describe them", () => {
  const examples = documentAt("docs/webhook.md").blocks.filter(({ language }) => language === "json");
  const results = ["newsletter-event", "newsletter-event-report"].map((schema, index) =>
    createValidator(schema)(JSON.parse(examples[index]?.code ?? "")),
  );
  expect(results).toMatchObject([{ valid: true }, { valid: true }]);
});
