import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { second } from "../../client/rules/time.ts";
import { atPace } from "../faults/paced-load.ts";
import { newAddress } from "../support/new-address.ts";
import { signUpOf } from "../support/newsletter-test.ts";
import { createTestApp, testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore } from "../support/test-store.ts";
import { startPostgres } from "./start-postgres.ts";

it("nobody notices that PostgreSQL is restarted: sign-ups and reads wait for it", async () => {
  const postgres = await startPostgres();
  const store = await openTestStore(testLogger, await createStorePlace("template1", postgres.url));
  onTestFinished(async () => {
    await store.close();
    await postgres.stop();
  });
  const { app } = await createTestApp({ store, originalAddressFrom: ["127.0.0.0/8", "::1"] });
  const headers = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" };
  const statuses: number[] = [];
  let count = 0;
  const signUp = async () => {
    const answer = await request(app)
      .post("/service/newsletter/api/internal/newsletter-subscribers")
      .set({ ...headers, "X-Original-Address": newAddress() })
      .send(signUpOf(`restart-${count++}@shop.example`));
    statuses.push(answer.status);
  };
  const read = async () => {
    statuses.push((await request(app).get("/service/abtestfrontend/api/v1/gettestsat").set(headers)).status);
  };

  let isOver = false;
  const load = [signUp, read].map((call) => atPace(40, () => isOver, call));
  await expect.poll(() => statuses.length).toBeGreaterThan(10);
  await postgres.restart(second);
  isOver = true;
  await Promise.all(load);
  expect(new Set(statuses)).toEqual(new Set([200, 202]));
});
