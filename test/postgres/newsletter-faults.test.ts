import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { newAddress } from "../support/new-address.ts";
import { mailsTo, signUpOf, subscriptionOf } from "../support/newsletter-test.ts";
import { createTestApp } from "../support/test-app.ts";
import { openStoreOverLine } from "./open-store-over-line.ts";

it("a newsletter service whose PostgreSQL goes away answers 503, loses nothing it accepted, and goes on when it is back", async () => {
  const { line, store } = await openStoreOverLine();
  const { app, deps, logs } = await createTestApp({ store, originalAddressFrom: ["127.0.0.0/8", "::1"] });
  const post = async (email: string) =>
    request(app)
      .post("/service/newsletter/api/internal/newsletter-subscribers")
      .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" })
      .set("X-Original-Address", newAddress())
      .send(signUpOf(email));
  const email = (i: number) => `line-${i}@shop.example`;

  const answers: request.Response[] = [];
  const ask = async (count: number) => {
    const first = answers.length;
    answers.push(...(await Promise.all(Array.from({ length: count }, (_, i) => post(email(first + i))))));
  };
  await ask(5);
  const cutWhileBusy = ask(30);
  await line.cut();
  await cutWhileBusy;
  onTestFinished(deps.promotions.close);
  await Promise.all([ask(5), deps.promotions.start()]);
  expect(answers.slice(-5).map(({ status, body }) => [status, body.type])).toEqual(
    Array.from({ length: 5 }, () => [503, "UNAVAILABLE"]),
  );
  await line.mend();
  await expect.poll(async () => (await post("back@shop.example")).status).toBe(202);

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 503]));
  for (const [i, { status }] of answers.entries()) {
    if (status !== 202) continue;
    expect(await subscriptionOf(store.db, email(i)), email(i)).toMatchObject({ state: "pending" });
    expect(await mailsTo(store.db, email(i))).toHaveLength(1);
  }
  expect(JSON.stringify(logs)).not.toContain("@shop.example");
  const faults = logs.filter(({ level }) => level === 40).map(({ msg }) => msg);
  expect(faults, "one outage, whoever meets it").toEqual(["the store could not carry out a statement"]);
});
