import { sql } from "kysely";
import request from "supertest";
import { expect, it } from "vitest";
import { mailsTo, signUpOf } from "../../../../support/newsletter-test.ts";
import { createTestApp, testLogger } from "../../../../support/test-app.ts";
import { openTestStore } from "../../../../support/test-store.ts";

it("answers a sign-up with 503 while SQLite is read-only, and accepts it afterwards", async () => {
  const store = await openTestStore(testLogger);
  const { app } = await createTestApp({ store });
  const send = () =>
    request(app)
      .post("/service/newsletter/api/internal/newsletter-subscribers")
      .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" })
      .send(signUpOf("lost@shop.example"));
  await sql`PRAGMA query_only = on`.execute(store.db);
  const title = "the service isn't available, please try again later";
  expect((await send().expect(503)).body).toEqual({ type: "UNAVAILABLE", title, status: 503 });
  await sql`PRAGMA query_only = off`.execute(store.db);
  expect(await mailsTo(store.db, "lost@shop.example")).toEqual([]);
  await send().expect(202);
  expect(await mailsTo(store.db, "lost@shop.example")).toHaveLength(1);
});
