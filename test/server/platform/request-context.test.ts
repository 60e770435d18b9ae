import type { RequestListener } from "node:http";
import type { Express } from "express";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { callHeaders, extractTrace, requestContext } from "../../../server/platform/request-context.ts";
import { answerRightly } from "../../support/answer-rightly.ts";
import { hang, startStub, status } from "../../support/start-stub.ts";
import { createTestApp, type TestChanges } from "../../support/test-app.ts";

const Host = "de.localhost";
const own = { Host, Origin: `http://${Host}`, "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const preview = { StaffAuthToken: "a", CobraAuthToken: "b", PreviewContext: "c" };
const previewing = Object.entries(preview).map(([name, value]) => `${name}=${value}`);
const ids = {
  "x-request-id": "edge-4711",
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  tracestate: "vendor=1",
};

/** Answers as services do, and previews something. */
const answer: RequestListener = (received, response) => {
  if (!received.url?.includes("/checkauth")) return answerRightly(received, response);
  const chosen = { status: "SUCCESS", dateTime: "2026-12-24T18:00:00Z", abTestName: "colours", abTestGroup: "A" };
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(chosen));
};

/** The app in front of real services, which are all the same stub. */
async function startApp(listener = answer, changes: TestChanges = {}) {
  const stub = await startStub(listener);
  const services = ["abtest", "promotion", "newsletter", "customer", "login", "preview"];
  const upstreams = Object.fromEntries(services.map((service) => [service, stub.origin]));
  return { stub, ...(await createTestApp({ upstreams, ...changes })) };
}

const form = (app: Express, path: string, fields: object) => request(app).post(path).type("form").send(fields);
const json = (app: Express, path: string, body: object) => request(app).post(path).send(body);
const login = { email: "ada@shop.example", password: "correct horse" };

describe("a request's id and trace go with each call that is made for it:", () => {
  it.each<[what: string, call: string, send: (app: Express) => request.Test]>([
    ["login", "/login", (app) => json(app, "/service/login/api/v1/login", login)],
    ["the button that signs out", "/logout", (app) => form(app, "/logout", {}).set("Cookie", "login=x")],
    ["newsletter's link", "/token", (app) => request(app).get("/newsletter/confirm?token=token")],
    ["preview's check", "/checkauth", (app) => request(app).get("/").set("Cookie", previewing)],
    ["the previewed promotion", "/SHOP_FOOTER", (app) => request(app).get("/").set("Cookie", previewing)],
  ])("%s", async (_what, call, send) => {
    const { app, stub } = await startApp();
    await send(app).set({ ...own, ...ids });
    const received = stub.requests.find(({ url }) => url?.split("?", 1)[0]?.endsWith(call));
    expect(received?.headers).toMatchObject(ids);
  });

  it("and comes back with the answer, whatever id the service has for it", async () => {
    const { app } = await startApp((_received, response) => void response.setHeader("X-Request-Id", "theirs").end());
    const { headers } = await request(app).get("/service/abtestfrontend/api/v1/getassignment").set(ids);
    expect(headers["x-request-id"]).toBe("edge-4711");
  });
});

describe("a job's calls", () => {
  it("have an id each, which the log has, too: promotion", async () => {
    const { stub, deps, logs } = await startApp(status(500));
    onTestFinished(() => deps.promotions.close());
    await deps.promotions.start();
    const sent = new Set(stub.requests.map(({ headers }) => headers["x-request-id"]));
    expect(sent.size).toBe(deps.countries.sites.length);
    const [line, ...others] = logs.filter(({ msg }) => msg === "upstream failed");
    expect(others).toEqual([]);
    expect(sent).toContain(line?.requestId);
  });
});

describe("a line of the log about a request", () => {
  const traceId = ids.traceparent.slice(3, 35);
  const fail = () => Promise.reject(new Error("planted failure"));

  it.each<[msg: string, (app: Express) => request.Test, TestChanges & { stub?: RequestListener }]>([
    [
      "upstream failed",
      (app) => request(app).get("/service/promotion/api/promotion/SHOP_FOOTER"),
      { stub: (received) => void received.socket.destroy() },
    ],
    ["upstream failed", (app) => request(app).get("/").set("Cookie", previewing), { stub: status(500) }],
    ["fragment rendering failed", (app) => request(app).get("/fragments/footer/DE"), { renderElement: fail }],
  ])("has its id and its trace: %s", async (msg, send, { stub = hang, ...changes }) => {
    const { app, logs } = await startApp(stub, changes);
    await send(app).set({ ...own, ...ids });
    await expect.poll(() => logs.filter((line) => line.msg === "request")).toHaveLength(1);
    expect(logs.filter((line) => line.msg === msg)).toHaveLength(1);
    for (const line of logs) expect(line).toMatchObject({ requestId: "edge-4711", traceId });
  });
});

describe("trace headers", () => {
  const span = ids.traceparent.slice(3, -3);
  const passOn = (headers: { traceparent?: string; tracestate?: string }) => {
    const { "x-request-id": _, ...sent } = requestContext.run(
      { requestId: "1", trace: extractTrace(headers) },
      callHeaders,
    );
    return sent;
  };

  it.each([
    [`00-${span}-00`, "vendor=1", { traceparent: `00-${span}-00`, tracestate: "vendor=1" }],
    [`cc-${span}-01-of-the-future`, "vendor=1", { traceparent: `00-${span}-01`, tracestate: "vendor=1" }],
    [`00-${span}-01-ada@shop.example`, "vendor=1", {}],
  ])("are passed on as version 00, without what is invalid: %s, %s", (traceparent, tracestate, passed) => {
    expect(passOn({ traceparent, tracestate })).toEqual(passed);
  });
});
