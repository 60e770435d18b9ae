import { request as httpRequest } from "node:http";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { Texts } from "../../../server/platform/texts.ts";
import { call } from "../../support/preview-test.ts";
import { serve } from "../../support/start-stub.ts";
import { countries, createTestApp, sites, type TestApp, type TestChanges } from "../../support/test-app.ts";

type Line = TestApp["logs"][number];

/** Returns the lines about requests once there are as many as requests were sent, because a line follows its answer. */
async function requestLines(logs: Line[], count: number): Promise<Line[]> {
  const lines = () => logs.filter(({ msg }) => msg === "request");
  await expect.poll(() => lines().length).toBe(count);
  return lines();
}

/** An app whose home page fails, and in which every use of the site CH fails. */
async function createBrokenApp(changes: TestChanges = {}) {
  const { deps } = await createTestApp();
  const fail = () => {
    throw new Error("planted failure");
  };
  const texts: Texts = {
    ...deps.texts,
    translator: (...options) => {
      const text = deps.texts.translator(...options);
      return (key) => (key === "worlds.heading" ? fail() : text(key));
    },
  };
  const broken = { ...countries, get: (code: string) => (code === "CH" ? fail() : countries.get(code)) };
  return createTestApp({ texts, countries: broken, ...changes });
}

describe("a request", () => {
  it("is one line of JSON with all that operators ask for", async () => {
    const { listener: app, logs } = await createTestApp();
    for (const { site } of sites) {
      await request(app).get(`/fragments/footer?site=${site}`);
      await request(app).get(`/fragments/footer?site=${site}`);
    }
    const lines = await requestLines(logs, 2 * sites.length);
    const common = {
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      method: "GET",
      route: "/fragments/:name{/:site}",
      status: 200,
      durationMs: expect.any(Number),
      bytes: expect.any(Number),
      fragment: "footer",
      fragmentState: "fresh",
      msg: "request",
    };
    expect(lines).toEqual(sites.flatMap(({ site }) => ["miss", "hit"].map((cache) => ({ ...common, site, cache }))));
    expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(lines.length);
    expect(logs).toHaveLength(lines.length);
  });

  it.each([
    ["/fragments/footer/DE?platform=WATCH", 400, "footer", "platform must be one of MATCH, TABLET, CLASSIC"],
    [
      "/fragments/newsletter?site=XX",
      400,
      "newsletter",
      `site must be one of ${sites.map(({ site }) => site).join(", ")}`,
    ],
    ["/fragments/fotter/DE", 404, "fotter", "no such fragment"],
    [`/fragments/a%0A${"b".repeat(999)}`, 404, "unknown", "no such fragment"],
  ])("of a fragment that is refused is a line with fragment and reason: %s", async (path, status, fragment, reason) => {
    const { app, logs } = await createTestApp();
    const { headers } = await request(app).get(path).set("Host", "layout.internal").expect(status);
    expect(headers["x-fragment-error"]).toBe(reason);
    expect(await requestLines(logs, 1)).toEqual([expect.objectContaining({ fragment, reason })]);
  });

  it("is measured by itself on a connection that is kept", async () => {
    const { app, logs } = await createTestApp();
    const port = await serve(app);
    const url = `http://127.0.0.1:${port}/fragments/footer?site=DE`;
    const body = Buffer.byteLength(await (await fetch(url)).text());
    for (let i = 0; i < 3; i++) await (await fetch(url)).text();
    for (const { bytes, durationMs } of await requestLines(logs, 4)) {
      expect(bytes).toBeGreaterThan(body);
      expect(bytes).toBeLessThan(body + 3_000);
      expect(durationMs).toBeGreaterThanOrEqual(0);
      expect(durationMs).toBeLessThan(5_000);
    }
  });

  it.each([
    ["GET", "/fragments/footer?site=DE", 200, "/fragments/:name{/:site}"],
    ["GET", "/fragments/footer/DE/manifest.json", 200, "/fragments/:name{/:site}/manifest.json"],
    ["GET", "/fragments/footer/DE/fallback", 200, "/fragments/:name{/:site}/fallback"],
    ["GET", "/", 200, "/"],
    ["GET", "/m/login", 200, "/login,/m/login"],
    ["GET", "/view", 405, "/view"],
    ["GET", "/nowhere", 404, "unmatched"],
    ["GET", "/fragments/footer/%E0%A4%A", 400, "unmatched"],
    ["POST", "/fragments/footer", 405, "/fragments/:name{/:site}"],
  ] as const)("is named by the template of its route: %s %s, %i", async (method, path, status, route) => {
    const { app, logs } = await createTestApp({ demo: true });
    const sent = method === "GET" ? request(app).get(path) : request(app).post(path);
    await sent.set("Host", "de.localhost").expect(status);
    expect(await requestLines(logs, 1)).toEqual([expect.objectContaining({ method, status, route, level: 30 })]);
  });

  it.each([
    ["/", "/"],
    ["/fragments/footer?site=CH", "/fragments/:name{/:site}"],
  ])("that fails is an error, with its cause in a line of its own: %s", async (path, route) => {
    const { app, logs } = await createBrokenApp({ demo: true });
    await request(app).get(path).set("Host", "de.localhost").expect(500);
    const [line] = await requestLines(logs, 1);
    expect(line).toMatchObject({ level: 50, status: 500, route, method: "GET" });
    const causes = logs.filter(({ msg }) => msg === "request failed");
    // The message of an unexpected error may hold personal data.
    const err = { type: "Error", stack: expect.stringMatching(/^ {4}at fail /) };
    expect(causes).toEqual([expect.objectContaining({ level: 50, err })]);
    expect(JSON.stringify(causes)).not.toContain("planted failure");
    expect(logs).toHaveLength(2);
  });

  it("that has to wait for others is no error, and a flood of them is one warning", async () => {
    const { app, logs } = await createTestApp({ trustProxy: ["loopback"] });
    const count = 80;
    const tries = Array.from({ length: count }, (_, i) =>
      call(app, "/service/login/api/v1/login").send({ email: `nobody-${i}@shop.example`, password: "password" }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect(new Set((await requestLines(logs, count)).map(({ level }) => level))).toEqual(new Set([30]));
    expect(logs.filter(({ level }) => Number(level) > 30)).toMatchObject([{ level: 40, msg: "sign-ins refused" }]);
  });

  it("that its client has aborted is logged as such, counts as 499, and is no failure of the render", async () => {
    const arrived = Promise.withResolvers<void>();
    const { app, deps, logs } = await createTestApp({
      renderCache: false,
      renderElement: (_element, { signal }) => {
        arrived.resolve();
        return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const port = await serve(app);
    const sent = httpRequest({ port, path: "/fragments/footer?site=DE" }).on("error", () => undefined);
    sent.end();
    await arrived.promise;
    sent.destroy();
    expect(await requestLines(logs, 1)).toEqual([expect.objectContaining({ aborted: true, status: 499 })]);
    const { values } = await deps.metrics.requests.get();
    expect(new Set(values.map(({ labels }) => labels.http_response_status_code))).toEqual(new Set([499]));
    expect(logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

describe("the request id", () => {
  it.each(["A-b_c.d:e", "x".repeat(64)])("is the edge's when it is a proper one: %s", async (id) => {
    const { app, logs } = await createTestApp();
    const { headers } = await request(app).get("/fragments/footer?site=DE").set("X-Request-Id", id);
    expect(headers["x-request-id"]).toBe(id);
    expect(await requestLines(logs, 1)).toEqual([expect.objectContaining({ requestId: id })]);
  });

  it.each(["x".repeat(65), "a b", "anna@shop.example", "%0a"])(
    "is a new one when the edge's is not: %s",
    async (id) => {
      const { app, logs } = await createTestApp();
      const { headers } = await request(app).get("/fragments/footer?site=DE").set("X-Request-Id", id);
      expect(headers["x-request-id"]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      expect(await requestLines(logs, 1)).toEqual([expect.objectContaining({ requestId: headers["x-request-id"] })]);
      expect(JSON.stringify(logs)).not.toContain(JSON.stringify(id).slice(1, -1));
    },
  );
});

describe("a visitor", () => {
  it("isn't logged by address", async () => {
    const { app, logs } = await createBrokenApp({ trustProxy: ["127.0.0.0/8", "::1"] });
    for (const path of ["/", "/nowhere", "/fragments/footer?site=DE", "/fragments/footer?site=CH"])
      await request(app).get(path).set({ Host: "de.localhost", "X-Forwarded-For": "203.0.113.9" });
    await requestLines(logs, 4);
    const lines = logs.map(({ err, ...line }) => JSON.stringify(line)).join("\n");
    expect(lines).not.toMatch(/203\.0\.113\.9|127\.0\.0\.1|::1/);
  });
});

describe("a health check", () => {
  it.each(["/livez", "/readyz"])("is neither logged nor measured: %s", async (path) => {
    const { app, logs, deps } = await createTestApp();
    await request(app).get(path).expect(200);
    await request(app).head(path).expect(200);
    await request(app).get("/fragments/footer?site=DE").expect(200);
    expect(await requestLines(logs, 1)).toEqual([expect.objectContaining({ route: "/fragments/:name{/:site}" })]);
    expect(await deps.metrics.registry.metrics()).not.toContain(path);
  });
});
