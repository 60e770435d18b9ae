import { once } from "node:events";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { load } from "cheerio";
import request, { type Response } from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { servicePaths } from "../../../server/http/edge-routes.ts";
import { openStore } from "../../../server/store/open-store.ts";
import { createTestApp, testLogger, texts } from "../../support/test-app.ts";
import { createStorePlace } from "../../support/test-store.ts";

const { app, logs } = await createTestApp();
/** The types that a browser accepts. */
const asPeople = "text/html,application/xhtml+xml,*/*;q=0.8";

describe("a service call", () => {
  const isNotFound = ({ body, headers }: Response) => {
    expect(body).toEqual({ type: "NOT_FOUND", title: "no such service call", status: 404 });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-store");
  };

  const calls = servicePaths.filter((path) => !/^(?:footer-images|newsletterfrontend)/.test(path));

  it.each(calls)("is 404 in JSON for browsers, too, if unknown: /service/%s/nowhere", async (folder) => {
    isNotFound(await request(app).get(`/service/${folder}/nowhere`).set("Accept", asPeople).expect(404));
  });

  it.each(["/service", "/service/privacy", "/service/newsletter/example", "/service/promotion"])(
    "is no page of the shop: people get a page that says that there is none here, programs JSON: %s",
    async (path) => {
      const { headers, text } = await request(app).get(path).set("Accept", asPeople).expect(404);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(load(text)("main h1").text()).toBe(texts.translator("de-DE", "page")("notFound.heading"));
      for (const type of ["*/*", "application/json"]) isNotFound(await request(app).get(path).set("Accept", type));
      for (const changing of [request(app).post(path).send({}), request(app).delete(path)])
        isNotFound(await changing.set("Accept", asPeople));
    },
  );

  it.each<[string, string | Buffer]>([
    ["is compressed", gzipSync("{}")],
    ["isn't JSON", '{"a":'],
    ["is no list or object", '"text"'],
    ["is too long", JSON.stringify({ a: "x".repeat(2_048) })],
  ])("with a body that %s is refused in words that repeat nothing of it", async (_what, sent) => {
    const { body } = await request(app)
      .post("/service/newsletter/api/internal/newsletter-subscribers")
      .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" })
      .set(typeof sent === "string" ? {} : { "Content-Encoding": "gzip" })
      .type("json")
      .serialize((body) => body)
      .send(sent)
      .expect(400);
    const title = "the body must be JSON of at most 2048 bytes, not compressed";
    expect(body).toEqual({ type: "INVALID_REQUEST", title, status: 400 });
  });

  it("whose path can't be read is refused", async () => {
    const { body } = await request(app).get("/service/promotion/api/promotion/%E0%A4%A").expect(400);
    expect(body).toEqual({ type: "INVALID_REQUEST", title: "the request can't be read", status: 400 });
  });

  it("that fails says no more than that, and the log has the cause once", async () => {
    const store = await openStore({ ...(await createStorePlace()), logger: testLogger });
    const broken = await createTestApp({ store });
    await store.close();
    const { body } = await request(broken.app).get("/service/promotion/api/promotion/SHOP_FOOTER").expect(500);
    expect(body).toEqual({ type: "INTERNAL_ERROR", title: "the service has failed", status: 500 });
    expect(broken.logs.filter(({ msg }) => msg === "request failed")).toEqual([
      expect.objectContaining({
        level: 50,
        err: expect.objectContaining({ stack: expect.stringMatching(/^ {4}at /) }),
      }),
    ]);
  });
});

it("logs no error for clients that leave before their error page", async () => {
  const server = createServer((incoming, response) => {
    app(incoming, response);
    incoming.socket.destroy();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  logs.length = 0;
  ask({ port, path: "/logout", method: "POST", headers: { Accept: asPeople } })
    .on("error", () => undefined)
    .end();
  await vi.waitFor(() => expect(logs).toHaveLength(1));
  // By the time that a page is complete, the previous one would have failed.
  await request(app).post("/logout").set("Accept", asPeople).expect(403);
  expect(logs.map(({ msg, status }) => [msg, status])).toEqual([
    ["request", 499],
    ["request", 403],
  ]);
});
