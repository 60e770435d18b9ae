import { json } from "node:stream/consumers";
import PostalMime from "postal-mime";
import request from "supertest";
import { expect, it } from "vitest";
import { second } from "../../../../client/rules/time.ts";
import { signUpOf } from "../../../support/newsletter-test.ts";
import { startStub } from "../../../support/start-stub.ts";
import { createTestApp, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

/** Shorter than the workers' polling interval. */
const timeout = 9 * second;

it("sends the mails of a sign-up and its confirmation at once, and all events to the webhook", async () => {
  const events: unknown[] = [];
  const { origin } = await startStub(async (received, response) => {
    events.push(await json(received));
    response.writeHead(204).end();
  });
  const mails: string[] = [];
  const { app, deps, service } = await createTestApp({
    newsletterWebhook: { url: origin, secret: `whsec_${"A".repeat(43)}=`, secretFile: undefined },
    store: await openTestStore(testLogger),
    openMailTransport: () => ({
      async send({ message }) {
        mails.push((await PostalMime.parse(message)).text ?? "");
      },
      close() {},
    }),
  });
  const { db } = deps.store;
  for (const job of service.jobs) await job.start();
  const base = "/service/newsletter/api/internal/newsletter-subscribers";
  const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" };

  await request(app).post(base).set(own).send(signUpOf("ada@shop.example")).expect(202);
  await expect.poll(() => mails, { timeout }).toHaveLength(1);
  const [, token = ""] = /\/newsletter\/confirm\?token=(\S+)/.exec(mails[0] ?? "") ?? [];
  await request(app).put(`${base}/${token}/doi`).set(own).expect(200);
  await expect.poll(() => mails, { timeout }).toHaveLength(2);
  const { code } = await db.selectFrom("voucher").select("code").executeTakeFirstOrThrow();
  expect(mails[1]).toContain(code);
  const sent = { state: "sent", data: "{}" };
  await expect
    .poll(() => db.selectFrom("mailOutbox").select(["state", "data"]).execute(), { timeout })
    .toEqual([sent, sent]);

  await request(app).put(`${base}/${token}`).set(own).send({ firstName: "Adele" }).expect(200);
  await request(app).post(`${base}/${token}/unsubscribe`).expect(200);
  await expect
    .poll(() => events, { timeout })
    .toMatchObject([
      { type: "subscription.confirmed", data: { email: "ada@shop.example", firstName: "Ada" } },
      { type: "subscription.changed", data: { firstName: "Adele" } },
      { type: "subscription.unsubscribed" },
    ]);
});
