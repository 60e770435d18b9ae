import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { day, hour, minute, second } from "../../../../../client/rules/time.ts";
import type { NewsletterEvent } from "../../../../../schemas/types.ts";
import { createSenderTokens } from "../../../../../server/features/newsletter/embedded/subscriptions.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/erase-address.ts";
import { createNewsletterEvents } from "../../../../../server/features/newsletter/webhook/event-outbox.ts";
import { createEventWorker } from "../../../../../server/features/newsletter/webhook/event-worker.ts";
import { createWebhook, type Webhook } from "../../../../../server/features/newsletter/webhook/webhook.ts";
import { createMetrics } from "../../../../../server/platform/metrics.ts";
import { createValidator } from "../../../../../server/platform/validate.ts";
import { documentAt } from "../../../../docs/read-documents.ts";
import { findFreePort } from "../../../../support/find-free-port.ts";
import {
  callerOf,
  openNewsletter,
  recordsOf,
  signUp,
  signUpOf,
  subscriptionOf,
} from "../../../../support/newsletter-test.ts";
import { startStub } from "../../../../support/start-stub.ts";
import { countries, testLogger } from "../../../../support/test-app.ts";
import { createTestLog } from "../../../../support/test-log.ts";
import { openTestStore, testKeys } from "../../../../support/test-store.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** How long a process may take to start. */
const startLimit = 20 * second;
const validate = createValidator<NewsletterEvent>("newsletter-event");

/** The newsletter with its events, and replicas that send them. */
async function setUp() {
  const { db } = await openTestStore(testLogger);
  const tokens = createSenderTokens(testKeys);
  const events = createNewsletterEvents(tokens, countries);
  const bench = await openNewsletter(db, 0, undefined, events);
  const waiting = () => db.selectFrom("newsletterEvent").selectAll().execute();
  const metrics = createMetrics();
  const { logger, lines } = createTestLog();

  /** Starts a replica. The returned function sends what is due. */
  const replica = (webhook: Webhook) => {
    const worker = createEventWorker({
      ...{ db, webhook, logger, metrics, tokenOf: tokens.tokenOf, clock: bench.now, isDraining: () => false },
    });
    worker.start();
    return async () => {
      worker.wake();
      await worker.idle();
    };
  };
  /** Starts a replica whose first delivery lasts until the returned function is called. */
  const replicaThatHangs = async () => {
    const [begun, underWay] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    const send = () => {
      begun.resolve();
      return underWay.promise;
    };
    const delivery = replica({ send, close: async () => undefined })();
    await begun.promise;
    return () => {
      underWay.resolve(undefined);
      return delivery;
    };
  };
  /** Starts a replica that sends to a URL. */
  const replicaTo = (url: string) => {
    const webhook = createWebhook({ url, secret, secretFile: undefined });
    onTestFinished(() => webhook.close());
    return replica(webhook);
  };
  const confirm = async (email: string, site = "DE") => {
    const token = await signUp(bench, email, site);
    await bench.newsletter.confirm(token, callerOf(site));
    return token;
  };
  const attempts = async (outcome: string) =>
    (await metrics.events.get()).values
      .filter(({ labels }) => labels.outcome === outcome)
      .reduce((sum, { value }) => sum + value, 0);
  return { ...bench, waiting, lines, replicaThatHangs, replicaTo, confirm, attempts };
}

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
    const { newsletter, confirm, replicaTo } = await setUp();
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
    const bench = await setUp();
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
    const { newsletter, confirm, replicaTo, waiting } = await setUp();
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
    const bench = await setUp();
    const token = await signUp(bench, "pending@shop.example");
    await bench.newsletter.change(token, { firstName: "Eve" }, callerOf("DE"));
    await bench.newsletter.refuse(token, callerOf("DE"));
    await eraseAddress(bench.db, testKeys, "pending@shop.example", "none", bench.now(), { hasReceiver: true });
    expect(await bench.waiting()).toEqual([]);
  });

  it("gets an event when sending stops because nobody opens the newsletter", async () => {
    const { newsletter, confirm, pass, replicaTo } = await setUp();
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
    const { db, newsletter, confirm, now, waiting, replicaTo } = await setUp();
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    const token = await confirm("ada@shop.example");
    await deliver();
    await newsletter.change(token, { firstName: "Adele" }, callerOf("DE"));
    const counts = await eraseAddress(db, testKeys, "ADA@shop.example", "none", now(), { hasReceiver: true });
    expect(counts).toMatchObject({ keptForReceiver: 1 });
    expect(JSON.stringify(await waiting())).not.toMatch(/ada|Adele/i);
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
    const { db, confirm, now, pass, replicaThatHangs, replicaTo } = await setUp();
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
    const { db, newsletter, confirm, now, pass, waiting } = await setUp();
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
    const { confirm, pass, lines, attempts, waiting, replicaTo } = await setUp();
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
    const { confirm, pass, lines, replicaTo } = await setUp();
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
    const { newsletter, confirm, waiting, lines, replicaTo } = await setUp();
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
    const { newsletter, confirm, pass, replicaThatHangs, replicaTo } = await setUp();
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
  it("gets the events that waited while it was down, in order, and rejects other signatures", async () => {
    const { db, newsletter, confirm, pass, waiting, replicaTo } = await setUp();
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

    const forged = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const forger = createWebhook({ url, secret: forged, secretFile: undefined });
    onTestFinished(() => forger.close());
    expect(await forger.send("1", "{}")).toMatchObject({ status: 401 });
    expect(lines()).toHaveLength(3);
  });
});

/** Starts the receiver of the document as a process, and returns its lines. */
async function startReceiverOfDocs(port: number) {
  const [{ code = "" } = {}] = documentAt("docs/webhook.md").blocks.filter(({ language }) => language === "js");
  const folder = await mkdtemp(join(tmpdir(), "receiver-"));
  const file = join(folder, "receiver.mjs");
  await writeFile(file, code);
  const env = { PORT: String(port), NEWSLETTER_WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    await rm(folder, { recursive: true });
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    );
  await expect.poll(isThere, { timeout: startLimit }).toBe(true);
  return { lines: () => stdout.split("\n").slice(0, -1) };
}
