import request from "supertest";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../server/shop/store/open-store.ts";
import { createTestApp, testLogger } from "../../support/test-app.ts";
import { createStorePlace } from "../../support/test-store.ts";

const { app } = await createTestApp();

describe("a service call", () => {
  it.each(["/service", "/service/", "/service/nowhere", "/service/footer-images", "/service/promotion"])(
    "that there isn't is 404 in JSON: %s",
    async (path) => {
      for (const answer of [request(app).get(path), request(app).post(path).send({}), request(app).delete(path)]) {
        const { body, headers } = await answer.set("Accept", "text/html").expect(404);
        expect(body).toEqual({ type: "NOT_FOUND", title: "no such service call", status: 404 });
        expect(headers["content-type"]).toBe("application/json; charset=utf-8");
        expect(headers["cache-control"]).toBe("no-store");
      }
    },
  );

  it("for a file that there isn't is 404 in JSON", async () => {
    const { body } = await request(app).get("/service/footer-images/logos/none.svg").expect(404);
    expect(body).toEqual({ type: "NOT_FOUND", title: "no such service call", status: 404 });
  });

  it.each([
    ["isn't JSON", '{"a":'],
    ["is no list or object", '"text"'],
    ["is too long", JSON.stringify({ a: "x".repeat(2_048) })],
  ])("with a body that %s is refused in words that repeat nothing of it", async (_what, sent) => {
    const { body } = await request(app)
      .post("/service/newsletter/api/internal/newsletter-subscribers")
      .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" })
      .type("json")
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
    expect(broken.logs.filter(({ msg }) => msg === "the service could not answer the request")).toEqual([
      expect.objectContaining({
        level: 50,
        err: expect.objectContaining({ stack: expect.stringMatching(/^ {4}at /) }),
      }),
    ]);
  });
});
