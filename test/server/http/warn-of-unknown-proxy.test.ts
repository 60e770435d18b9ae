import request from "supertest";
import { expect, it } from "vitest";
import { createTestApp } from "../../support/test-app.ts";

const visitor = "203.0.113.9";

/** Asks for a page and a fragment with a proxy's headers, and gives the warnings of them. */
async function warningsOf(trustProxy: string[], headers: Record<string, string>) {
  const { app, logs } = await createTestApp({ trustProxy });
  for (const path of ["/fragments/footer/DE", "/fragments/footer/DE", "/login?site=DE"])
    await request(app).get(path).set(headers);
  return logs.filter(({ level }) => level === 40);
}

it("somebody whom TRUST_PROXY doesn't name, and who does as a proxy does, is warned of once", async () => {
  expect(await warningsOf(["10.0.0.0/8"], { "X-Forwarded-For": visitor, "X-Forwarded-Host": "at.localhost" })).toEqual([
    expect.objectContaining({
      from: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      headers: ["x-forwarded-for", "x-forwarded-host"],
      msg: expect.stringContaining("add it to TRUST_PROXY"),
    }),
  ]);
  expect(await warningsOf([], { "X-Forwarded-Proto": "https" })).toHaveLength(1);
});

it("neither a proxy that TRUST_PROXY names is warned of, nor who is none", async () => {
  expect(await warningsOf(["loopback"], { "X-Forwarded-For": visitor })).toEqual([]);
  expect(await warningsOf([], { "X-Original-Address": visitor })).toEqual([]);
});
