import request from "supertest";
import { expect, it } from "vitest";
import { createTestApp } from "../../support/test-app.ts";

const { app, deps } = await createTestApp();
const file = deps.assets.path("boot.js");

it.each([
  ["a part that it has", { Range: "bytes=0-9" }, 206],
  ["a part that it hasn't", { Range: "bytes=9999999-" }, 416],
  ["what it was before it changed", { "If-Match": '"another"' }, 412],
])("a built file asked for %s is answered with the status that says so", async (_part, headers, status) => {
  const answer = await request(app)
    .get(file)
    .set({ ...headers, "Accept-Encoding": "identity" });
  expect(answer.status).toBe(status);
});
