import { json } from "node:stream/consumers";
import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { second } from "../../../../client/rules/time.ts";
import { lastMail, signUpOf } from "../../../support/newsletter-test.ts";
import { startStub } from "../../../support/start-stub.ts";
import { createTestApp, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

/** Sooner than the worker would look by itself. */
const soon = 9 * second;

it("who confirms, changes and unsubscribes by the links of mails is told to the receiver at once", async () => {
  const got: unknown[] = [];
  const { origin } = await startStub(async (received, response) => {
    got.push(await json(received));
    response.writeHead(204).end();
  });
  const newsletterWebhook = { url: origin, secret: `whsec_${"A".repeat(43)}=`, secretFile: undefined };
  const { app, deps } = await createTestApp({ newsletterWebhook, store: await openTestStore(testLogger) });
  const base = "/service/newsletter/api/internal/newsletter-subscribers";
  const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" };
  await request(app).post(base).set(own).send(signUpOf("ada@shop.example")).expect(202);
  const { subscriberToken } = await lastMail(deps.store.db, "ada@shop.example", "confirm");
  // What a mail is made of is gone once it is sent.
  for (const job of deps.shop.jobs) {
    onTestFinished(() => job.close());
    await job.start();
  }
  await request(app).put(`${base}/${subscriberToken}/doi`).set(own).expect(200);
  await request(app).put(`${base}/${subscriberToken}`).set(own).send({ firstName: "Adele" }).expect(200);
  await request(app).post(`${base}/${subscriberToken}/unsubscribe`).expect(200);
  await expect
    .poll(() => got, { timeout: soon })
    .toMatchObject([
      { type: "newsletter.confirmed", data: { email: "ada@shop.example", firstName: "Ada" } },
      { type: "newsletter.changed", data: { firstName: "Adele" } },
      { type: "newsletter.unsubscribed" },
    ]);
});
