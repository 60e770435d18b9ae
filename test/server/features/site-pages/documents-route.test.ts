import { readFileSync } from "node:fs";
import { load } from "cheerio";
import request from "supertest";
import { expect, it } from "vitest";
import { listServices, readDocument } from "../../../../server/upstream/service-documents.ts";
import { createTestApp } from "../../../support/test-app.ts";

const { app } = await createTestApp();

it("the overview names each service, and links to its document, byte for byte as it was built", async () => {
  const { text: page } = await request(app).get("/").expect(200);
  const $ = load(page);
  const links = $("#services a").toArray();
  expect(links.map((link) => $(link).text())).toEqual(listServices().map((name) => readDocument(name).info.title));
  for (const [at, service] of listServices().entries()) {
    const path = $(links[at]).attr("href") ?? "";
    const { text } = await request(app).get(path).expect(200).expect("Content-Type", "application/json");
    expect(text).toBe(readFileSync(`dist/schemas/openapi/${service}.json`, "utf8"));
  }
});

it("there is no document where the overview isn't, or for another name", async () => {
  const { app: without } = await createTestApp({ overview: false });
  await request(without).get("/openapi/login.json").expect(404);
  for (const name of ["login", "unknown.json", "..%2fenv.schema.json"])
    await request(app).get(`/openapi/${name}`).expect(404);
});
