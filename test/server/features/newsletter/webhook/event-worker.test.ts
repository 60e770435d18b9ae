import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { day, hour, minute, second } from "../../../../../client/rules/time.ts";
import type { NewsletterEvent } from "../../../../../schemas/types.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/erase-address.ts";
import { createWebhook } from "../../../../../server/features/newsletter/webhook/webhook.ts";
import { createValidator } from "../../../../../server/platform/validate.ts";
import { documentAt } from "../../../../docs/read-documents.ts";
import { eventSecret, openEvents, startProgram } from "../../../../support/event-test.ts";
import { findFreePort } from "../../../../support/find-free-port.ts";
import { callerOf, recordsOf, signUp, signUpOf, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { sendHalf } from "../../../../support/start-process.ts";
import { startStub } from "../../../../support/start-stub.ts";
import { testKeys } from "../../../../support/test-store.ts";

const validate = createValidator<NewsletterEvent>("newsletter-event");

/** Starts a receiver that accepts everything, and records it. */
async function startReceiver(answer: RequestListener = (_request, response) => response.writeHead(204).end()) {
  const got: NewsletterEvent[] = [];
  const stub = await startStub(async (request, response) => {
    got.push((await json(request)) as NewsletterEvent);
    answer(request, response);
  });
  return { got, origin: stub.origin, close: stub.close };
}

const typesOf = (events: readonly NewsletterEvent[]) => events.map(({ type }) => type.replace("subscription.", ""));

describe("the newsletter's receiver", () => {
  it("gets the events of a subscriber from the confirmation to the end, by the schema", async () => {
    const { newsletter, confirm, replicaTo } = await openEvents();
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    const token = await confirm("ada@shop.example");
    await newsletter.change(token, { firstName: "Adele" }, callerOf("DE"));
    await newsletter.unsubscribe(token, callerOf("DE"));
    await newsletter.unsubscribe(token, callerOf("DE"));
    await deliver();
    expect(typesOf(got)).toEqual(["confirmed", "changed", "unsubscribed"]);
    expect(got.map((event) => validate(event))).toEqual(got.map((data) => ({ valid: true, data })));
    const subscriber = { id: got[0]?.data.id, email: "ada@shop.example", site: "DE" };
    expect(got.map(({ data }) => data)).toMatchObject([
      { ...subscriber, status: "SUBSCRIBED", consents: ["NEWSLETTER"], firstName: "Ada" },
      { ...subscriber, status: "SUBSCRIBED", consents: ["NEWSLETTER"], firstName: "Adele" },
      { ...subscriber, status: "UNSUBSCRIBED", consents: [], reason: "wish" },
    ]);
  });

  it("gets the locale, the voucher until it expires, and the consent that was confirmed", async () => {
    const bench = await openEvents();
    const { db, newsletter, confirm, now, pass } = bench;
    const { got, origin } = await startReceiver();
    const deliver = bench.replicaTo(origin);
    const email = "ada@shop.example";
    const signedUpAt = new Date(now()).toISOString();
    const token = await confirm(email, "HU");
    pass(day);
    await newsletter.subscribe(signUpOf(email), callerOf("HU"));
    await newsletter.change(token, { firstName: "Adele" }, callerOf("HU"));
    pass(40 * day);
    await newsletter.change(token, { firstName: "Ada" }, callerOf("HU"));
    await deliver();
    const { code } = await db.selectFrom("voucher").select("code").executeTakeFirstOrThrow();
    const [requested] = await recordsOf(db, email, "HU");
    const known = { locale: "hu-HU", consent: { version: requested?.textVersion, at: signedUpAt } };
    expect(got.map(({ data }) => data)).toMatchObject([
      { ...known, voucher: { code } },
      { ...known, voucher: { code } },
      { ...known, voucher: null },
    ]);
    expect(got.map((event) => validate(event).valid)).toEqual([true, true, true]);
  });

  it("gets a token that reports openings and ends the subscription, the same each time", async () => {
    const { newsletter, confirm, replicaTo, waiting } = await openEvents();
    const { got, origin } = await startReceiver();
    const own = await confirm("ada@shop.example");
    await newsletter.change(own, { firstName: "Adele" }, callerOf("DE"));
    expect(JSON.stringify(await waiting())).not.toContain("token");
    await replicaTo(origin)();
    const [token = "", again] = got.map(({ data }) => ("token" in data ? data.token : undefined));
    expect(again).toBe(token);
    expect(await newsletter.recordOpening(token)).toBe(true);
    expect(await newsletter.confirm(token, callerOf("DE"))).toEqual({ status: "invalidToken" });
    expect(await newsletter.change(token, { firstName: "Eve" }, callerOf("DE"))).toEqual({ status: "invalidToken" });
    expect(await newsletter.unsubscribe(token, callerOf("DE"))).toEqual({ status: "ended" });
  });

  it("gets no events of unconfirmed sign-ups", async () => {
    const bench = await openEvents();
    const token = await signUp(bench, "pending@shop.example");
    await bench.newsletter.change(token, { firstName: "Eve" }, callerOf("DE"));
    await bench.newsletter.refuse(token, callerOf("DE"));
    await eraseAddress(bench.db, testKeys, "pending@shop.example", "none", bench.now(), { hasReceiver: true });
    expect(await bench.waiting()).toEqual([]);
  });

  it("gets an event when sending stops because nobody opens the newsletter", async () => {
    const { newsletter, confirm, pass, replicaTo } = await openEvents();
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    const token = await confirm("ada@shop.example", "TR");
    pass(day);
    await newsletter.recordOpening(token);
    await deliver();
    pass(3 * 366 * day);
    await newsletter.cleanUp();
    await deliver();
    expect(got.at(-1)).toMatchObject({ type: "subscription.unsubscribed", data: { reason: "unopened" } });
  });

  it("gets the id alone when an address is erased, and no other event that waits", async () => {
    const { db, newsletter, confirm, now, waiting, replicaTo } = await openEvents();
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    const token = await confirm("ada@shop.example");
    await deliver();
    await newsletter.change(token, { firstName: "Adele" }, callerOf("DE"));
    const counts = await eraseAddress(db, testKeys, "ADA@shop.example", "none", now(), { hasReceiver: true });
    expect(counts).toMatchObject({ keptForReceiver: 1 });
    expect(JSON.stringify(await waiting())).not.toMatch(/ada@|Adele/i);
    await deliver();
    const [confirmed, erased, ...others] = got;
    expect(erased).toMatchObject({ type: "subscription.erased" });
    expect(erased?.data).toEqual({ id: confirmed?.data.id, site: "DE" });
    expect(validate(erased)).toMatchObject({ valid: true });
    expect(others).toEqual([]);
    await confirm("bea@shop.example");
    expect(await eraseAddress(db, testKeys, "bea@shop.example", "none", now())).toMatchObject({ keptForReceiver: 0 });
    expect(await waiting()).toEqual([]);
  });

  it("gets the event of an erasure only when no earlier event is being sent", async () => {
    const { db, confirm, now, pass, replicaThatHangs, replicaTo } = await openEvents();
    await confirm("ada@shop.example");
    const finishDelivery = await replicaThatHangs();
    await eraseAddress(db, testKeys, "ada@shop.example", "none", now(), { hasReceiver: true });
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    await deliver();
    expect(got).toEqual([]);
    await finishDelivery();
    pass(minute);
    await deliver();
    expect(typesOf(got)).toEqual(["erased"]);
  });

  it("gets no event of an erasure that has waited for 30 days", async () => {
    const { db, newsletter, confirm, now, pass, waiting } = await openEvents();
    await confirm("ada@shop.example");
    await eraseAddress(db, testKeys, "ada@shop.example", "none", now(), { hasReceiver: true });
    pass(30 * day - 1);
    await newsletter.cleanUp();
    expect(await waiting()).toHaveLength(1);
    pass(1);
    await newsletter.cleanUp();
    expect(await waiting()).toEqual([]);
  });
});

describe("a receiver that accepts nothing", () => {
  it("is logged once when it fails and once when it recovers", async () => {
    const { confirm, pass, lines, attempts, waiting, replicaTo } = await openEvents();
    let code = 500;
    const { got, origin } = await startReceiver((_request, response) => response.writeHead(code).end());
    const deliver = replicaTo(origin);
    for (const name of ["ada", "bea", "cleo"]) await confirm(`${name}@shop.example`);
    await deliver();
    expect(await attempts("postponed")).toBe(3);
    // From then on a single event is tried, after growing pauses.
    const pauses: number[] = [];
    for (let tries = 0; tries < 6; tries++) {
      let waited = 0;
      for (const before = got.length; got.length === before; waited += second) {
        pass(second);
        await deliver();
      }
      pauses.push(waited / second);
    }
    expect(got).toHaveLength(9);
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(pauses.at(-1)).toBeGreaterThan(100);
    const down = { level: 40, reason: "status 500", waiting: 3, msg: "webhook delivery failed, will retry" };
    expect(lines).toMatchObject([down]);
    code = 204;
    pass(hour);
    await deliver();
    expect(await waiting()).toEqual([]);
    expect(await attempts("sent")).toBe(3);
    expect(lines).toMatchObject([down, { level: 30, msg: "webhook delivery recovered" }]);
  });

  it("gets no events for an hour after a 410, and then all of them", async () => {
    const { confirm, pass, lines, replicaTo } = await openEvents();
    let code = 410;
    const { got, origin } = await startReceiver((_request, response) => response.writeHead(code).end());
    const deliver = replicaTo(origin);
    await confirm("ada@shop.example");
    await deliver();
    pass(hour - second);
    await deliver();
    expect(got).toHaveLength(1);
    expect(lines).toEqual([expect.objectContaining({ level: 40, reason: "status 410" })]);
    code = 204;
    pass(second);
    await deliver();
    expect(typesOf(got)).toEqual(["confirmed", "confirmed"]);
  });

  it("delays only the subscription whose event it rejects", async () => {
    const { newsletter, confirm, waiting, lines, replicaTo } = await openEvents();
    const got: string[] = [];
    const stub = await startStub(async (request, response) => {
      const { type, data } = (await json(request)) as NewsletterEvent;
      const subscription = "email" in data ? `${data.email} ${data.site}` : data.id;
      got.push(`${type.replace("subscription.", "")} ${subscription}`);
      response.writeHead(subscription === "bad@shop.example DE" ? 400 : 204).end();
    });
    for (const [name, site] of [
      ["bad", "DE"],
      ["bad", "AT"],
      ["good", "DE"],
    ] as const)
      await newsletter.unsubscribe(await confirm(`${name}@shop.example`, site), callerOf(site));
    await replicaTo(stub.origin)();
    expect(got.toSorted()).toEqual([
      "confirmed bad@shop.example AT",
      "confirmed bad@shop.example DE",
      "confirmed good@shop.example DE",
      "unsubscribed bad@shop.example AT",
      "unsubscribed good@shop.example DE",
    ]);
    expect(await waiting()).toHaveLength(2);
    expect(lines).toEqual([]);
  });
});

describe("two replicas", () => {
  it("send no event while the other leases an earlier one, and send that again when its lease ends", async () => {
    const { newsletter, confirm, pass, replicaThatHangs, replicaTo } = await openEvents();
    const token = await confirm("ada@shop.example");
    await replicaThatHangs();
    await newsletter.unsubscribe(token, callerOf("DE"));
    const { got, origin } = await startReceiver();
    const other = replicaTo(origin);
    await other();
    expect(got).toEqual([]);
    pass(minute);
    await other();
    expect(typesOf(got)).toEqual(["confirmed", "unsubscribed"]);
  });
});

describe("the receiver of docs/webhook.md", () => {
  it("gets the events that waited while it was down, in order, and survives what isn't signed or complete", async () => {
    const { db, newsletter, confirm, pass, waiting, replicaTo } = await openEvents();
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const token = await confirm("ada@shop.example");
    await newsletter.change(token, { firstName: "Adele" }, callerOf("DE"));
    await newsletter.unsubscribe(token, callerOf("DE"));
    const id = (await subscriptionOf(db, "ada@shop.example"))?.id;
    const deliver = replicaTo(url);
    await deliver();
    const { lines } = await startReceiverOfDocs(port);
    pass(minute);
    await deliver();
    expect(await waiting()).toEqual([]);
    const types = ["confirmed", "changed", "unsubscribed"].map((type) => `subscription.${type} ${id}`);
    await expect.poll(() => lines().map((line) => line.replace(/^\S+ /, ""))).toEqual(types);

    const broken = await sendHalf(port);
    await once(broken.destroy(), "close");
    const forged = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const forger = createWebhook({ url, secret: forged, secretFile: undefined });
    onTestFinished(() => forger.close());
    expect(await forger.send("1", "{}")).toMatchObject({ status: 401 });
    expect(lines()).toHaveLength(3);
  });
});

/** Starts the receiver of the document, and returns its lines. */
async function startReceiverOfDocs(port: number) {
  const [{ code = "" } = {}] = documentAt("docs/webhook.md").blocks.filter(({ language }) => language === "js");
  const folder = await mkdtemp(join(tmpdir(), "receiver-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "receiver.mjs");
  await writeFile(file, code);
  return startProgram(file, { NEWSLETTER_WEBHOOK_SECRET: eventSecret }, port);
}
