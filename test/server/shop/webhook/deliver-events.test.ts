import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { day, hour, minute, second } from "../../../../client/rules/time.ts";
import type { NewsletterEvent } from "../../../../schemas/types.ts";
import { createMetrics } from "../../../../server/metrics.ts";
import { erase } from "../../../../server/shop/erase.ts";
import { keepHouse } from "../../../../server/shop/newsletter/housekeeping.ts";
import { openSenderTokens } from "../../../../server/shop/newsletter/sender-tokens.ts";
import { composeEvent } from "../../../../server/shop/webhook/compose-event.ts";
import { createDelivery } from "../../../../server/shop/webhook/deliver-events.ts";
import { createEventOutbox } from "../../../../server/shop/webhook/event-outbox.ts";
import { createNewsletterEvents } from "../../../../server/shop/webhook/newsletter-events.ts";
import { createWebhook, type Webhook } from "../../../../server/shop/webhook/webhook.ts";
import { createValidator } from "../../../../server/validate.ts";
import { documentAt } from "../../../docs/read-documents.ts";
import { findFreePort } from "../../../support/find-free-port.ts";
import { callerOf, openNewsletter, signUp } from "../../../support/newsletter-test.ts";
import { startStub, status } from "../../../support/start-stub.ts";
import { countries, testLogger } from "../../../support/test-app.ts";
import { createTestLog } from "../../../support/test-log.ts";
import { openTestStore } from "../../../support/test-store.ts";

const secret = Buffer.alloc(32, 7);
/** How long a process may take to start. */
const startLimit = 20 * second;
const validate = createValidator<NewsletterEvent>("newsletter-event");

/** The newsletter with its events, and replicas that deliver them. */
async function setUp() {
  const { db } = await openTestStore(testLogger);
  const tokens = await openSenderTokens(db);
  const events = createNewsletterEvents(tokens, () => undefined);
  const bench = await openNewsletter(db, 0, undefined, events);
  const outbox = createEventOutbox(db);
  const metrics = createMetrics();
  const { logger, lines } = createTestLog();

  /** A replica that sends what is due, until nothing more is. */
  const replica = (webhook: Pick<Webhook, "send">) => {
    const compose = (event: Parameters<typeof composeEvent>[0]) => composeEvent(event, tokens);
    const deliver = createDelivery({ outbox, webhook, compose, logger, metrics, clock: bench.now });
    return async () => {
      while (await deliver());
    };
  };
  /** The same, to an address. */
  const replicaTo = (url: string) => {
    const webhook = createWebhook({ url, secrets: [secret] });
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
  return { ...bench, outbox, lines, replica, replicaTo, confirm, attempts };
}

/** A receiver that takes everything, and what it has got. */
async function startReceiver(answer: RequestListener = (_request, response) => response.writeHead(204).end()) {
  const got: NewsletterEvent[] = [];
  const stub = await startStub(async (request, response) => {
    got.push((await json(request)) as NewsletterEvent);
    answer(request, response);
  });
  return { got, origin: stub.origin, close: stub.close };
}

const typesOf = (events: readonly NewsletterEvent[]) => events.map(({ type }) => type.replace("newsletter.", ""));

describe("the newsletter's receiver", () => {
  it("is told of a subscriber from the confirmation to the end, as the schema says", async () => {
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
    expect(got.map(({ data }) => data)).toMatchObject([
      { email: "ada@shop.example", site: "DE", firstName: "Ada" },
      { email: "ada@shop.example", site: "DE", firstName: "Adele" },
      { email: "ada@shop.example", site: "DE", reason: "wish" },
    ]);
  });

  it("gets a token that reports openings and ends the subscription, the same each time", async () => {
    const { db, newsletter, confirm, replicaTo } = await setUp();
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    const own = await confirm("ada@shop.example");
    await newsletter.change(own, { firstName: "Adele" }, callerOf("DE"));
    // Who reads the store can't use it.
    expect(JSON.stringify(await db.selectFrom("newsletterEvent").selectAll().execute())).not.toContain("token");
    await deliver();
    const [token = "", again] = got.map(({ data }) => ("token" in data ? data.token : undefined));
    expect(again).toBe(token);
    expect(await newsletter.noteOpened(token)).toEqual({ status: "noted" });
    expect(await newsletter.confirm(token, callerOf("DE"))).toEqual({ status: "invalidToken" });
    expect(await newsletter.change(token, { firstName: "Eve" }, callerOf("DE"))).toEqual({ status: "invalidToken" });
    expect(await newsletter.unsubscribe(token, callerOf("DE"))).toEqual({ status: "ended" });
  });

  it("is told nothing of sign-ups that aren't confirmed", async () => {
    const bench = await setUp();
    const token = await signUp(bench, "pending@shop.example");
    await bench.newsletter.change(token, { firstName: "Eve" }, callerOf("DE"));
    await bench.newsletter.refuse(token, callerOf("DE"));
    await erase(bench.db, "pending@shop.example", "none", bench.now(), { hasReceiver: true });
    expect(await bench.outbox.count()).toBe(0);
  });

  it("is told of a newsletter that is stopped as nobody opens it", async () => {
    const bench = await setUp();
    const { db, newsletter, confirm, pass, now, replicaTo } = bench;
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    const token = await confirm("ada@shop.example", "TR");
    pass(day);
    await newsletter.noteOpened(token);
    await deliver();
    pass(3 * 366 * day);
    const tokens = await openSenderTokens(db);
    const events = createNewsletterEvents(tokens, () => undefined);
    await keepHouse({ db, countries, events, networkKey: Buffer.alloc(32), clock: now });
    await deliver();
    expect(got.at(-1)).toMatchObject({ type: "newsletter.unsubscribed", data: { reason: "unopened" } });
  });

  it("is told to erase an address, of which nothing is left then", async () => {
    const { db, newsletter, confirm, now, outbox, replicaTo } = await setUp();
    const { got, origin } = await startReceiver();
    const token = await confirm("ada@shop.example");
    await newsletter.change(token, { firstName: "Adele" }, callerOf("DE"));
    expect(await erase(db, "ADA@shop.example", "none", now(), { hasReceiver: true })).toMatchObject({
      keptForReceiver: 1,
    });
    const waiting = await db.selectFrom("newsletterEvent").selectAll().execute();
    expect(waiting).toHaveLength(1);
    expect(JSON.stringify(waiting)).not.toMatch(/Ada|Adele/);
    await replicaTo(origin)();
    expect(got).toMatchObject([{ type: "newsletter.erased", data: { email: "ada@shop.example", site: "DE" } }]);
    expect(validate(got[0])).toMatchObject({ valid: true });
    expect(await outbox.count()).toBe(0);
    await confirm("bea@shop.example");
    expect(await erase(db, "bea@shop.example", "none", now())).toMatchObject({ keptForReceiver: 0 });
    expect(await outbox.count()).toBe(0);
  });

  it("is told to erase an address only when it can't get an earlier event any more", async () => {
    const { db, confirm, now, pass, replica, replicaTo } = await setUp();
    await confirm("ada@shop.example");
    const underWay = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = replica({
      send() {
        begun.resolve();
        return underWay.promise;
      },
    })();
    await begun.promise;
    await erase(db, "ada@shop.example", "none", now(), { hasReceiver: true });
    const { got, origin } = await startReceiver();
    const deliver = replicaTo(origin);
    await deliver();
    expect(got).toEqual([]);
    underWay.resolve();
    await slow;
    pass(minute);
    await deliver();
    expect(typesOf(got)).toEqual(["erased"]);
  });

  it("forgets what waits for longer than the address of somebody erased may be kept", async () => {
    const { db, confirm, now, pass, outbox } = await setUp();
    await confirm("ada@shop.example");
    await erase(db, "ada@shop.example", "none", now(), { hasReceiver: true });
    const parts = { db, countries, networkKey: Buffer.alloc(32), clock: now };
    const events = createNewsletterEvents(await openSenderTokens(db), () => undefined);
    pass(30 * day - 1);
    await keepHouse({ ...parts, events });
    expect(await outbox.count()).toBe(1);
    pass(1);
    await keepHouse({ ...parts, events });
    expect(await outbox.count()).toBe(0);
  });
});

describe("a receiver that takes nothing", () => {
  it.each([
    ["status 500", status(500)],
    ["no answer (UND_ERR_SOCKET)", (_request, response) => response.destroy()],
  ] satisfies [string, RequestListener][])(
    "is one warning, however long it lasts, and a line at its end: %s",
    async (reason, answer) => {
      const { confirm, pass, lines, attempts, outbox, replicaTo } = await setUp();
      let fails = true;
      const { got, origin } = await startReceiver((request, response) =>
        fails ? answer(request, response) : response.writeHead(204).end(),
      );
      const deliver = replicaTo(origin);
      for (const name of ["ada", "bea", "cleo"]) await confirm(`${name}@shop.example`);
      await deliver();
      expect(await attempts("postponed")).toBe(3);
      await deliver();
      // From then on one event shows whether the receiver is back, after growing pauses.
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
      expect(lines).toEqual([
        expect.objectContaining({
          ...{ level: 40, reason, waiting: 3 },
          msg: "the newsletter's receiver takes no events; they wait",
        }),
      ]);
      fails = false;
      pass(hour);
      await deliver();
      expect(await outbox.count()).toBe(0);
      expect(await attempts("sent")).toBe(3);
      expect(lines).toHaveLength(2);
      expect(lines[1]).toMatchObject({ level: 30, msg: "the newsletter's receiver takes events again" });
    },
  );

  it("is left alone for about an hour when it wants no more, and loses nothing when that was a mistake", async () => {
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

  it("keeps only the subscription back whose event it doesn't take", async () => {
    const { newsletter, confirm, outbox, lines, replicaTo } = await setUp();
    const got: string[] = [];
    const stub = await startStub(async (request, response) => {
      const { type, data } = (await json(request)) as NewsletterEvent;
      got.push(`${type} ${data.email}`);
      response.writeHead(data.email === "bad@shop.example" ? 400 : 204).end();
    });
    const bad = await confirm("bad@shop.example");
    await newsletter.unsubscribe(bad, callerOf("DE"));
    const good = await confirm("good@shop.example");
    await newsletter.unsubscribe(good, callerOf("DE"));
    await replicaTo(stub.origin)();
    expect(got.toSorted()).toEqual([
      "newsletter.confirmed bad@shop.example",
      "newsletter.confirmed good@shop.example",
      "newsletter.unsubscribed good@shop.example",
    ]);
    expect(await outbox.count()).toBe(2);
    expect(lines).toEqual([]);
  });
});

describe("two replicas", () => {
  it("send no event while the other has an earlier one, and send that again when the other has died", async () => {
    const { newsletter, confirm, pass, replica, replicaTo } = await setUp();
    const token = await confirm("ada@shop.example");
    const begun = Promise.withResolvers<void>();
    void replica({
      send() {
        begun.resolve();
        return new Promise(() => undefined);
      },
    })();
    await begun.promise;
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
  it("loses nothing and gets all in order, when it is killed and two replicas send", async () => {
    const { newsletter, confirm, pass, outbox, replica } = await setUp();
    const port = await findFreePort();
    const receiver = await createReceiver(port);
    const names = Array.from({ length: 12 }, (_, i) => `reader-${i}@shop.example`);
    for (const name of names) {
      const token = await confirm(name);
      await newsletter.change(token, { firstName: "Adele" }, callerOf("DE"));
      await newsletter.unsubscribe(token, callerOf("DE"));
    }
    const webhook = createWebhook({ url: `http://127.0.0.1:${port}/`, secrets: [secret] });
    onTestFinished(() => webhook.close());
    let begun = 0;
    const send: Webhook["send"] = async (message) => {
      begun += 1;
      if (begun === 8) await receiver.kill();
      await webhook.send(message);
    };
    const replicas = [replica({ send }), replica({ send })];
    const deliver = () => Promise.all(replicas.map((work) => work()));
    await receiver.start();
    await deliver();
    expect(await outbox.count()).toBeGreaterThan(0);
    await receiver.start();
    // What a replica had taken, and what was put off, is due again.
    while ((await outbox.count()) > 0) {
      pass(minute);
      await deliver();
    }
    await receiver.kill();
    // An event may come again, but not after a later one of the same subscription.
    const got = receiver.lines().map((line) => line.split(" "));
    for (const name of names) {
      const own = got.filter(([_id, _type, email]) => email === name);
      const once = own.filter(([id], i) => id !== own[i - 1]?.[0]);
      expect(once.map(([_id, type]) => type)).toEqual([
        "newsletter.confirmed",
        "newsletter.changed",
        "newsletter.unsubscribed",
      ]);
    }
  });

  it("takes nothing that somebody else has signed", async () => {
    const port = await findFreePort();
    const receiver = await createReceiver(port);
    await receiver.start();
    const webhook = createWebhook({ url: `http://127.0.0.1:${port}`, secrets: [Buffer.alloc(32, 8)] });
    onTestFinished(() => webhook.close());
    await expect(webhook.send({ id: "1", body: "{}" })).rejects.toThrow("status 401");
    expect(receiver.lines()).toEqual([]);
  });
});

/** The receiver as it is shipped, as a process. */
async function createReceiver(port: number) {
  const [{ code = "" } = {}] = documentAt("docs/webhook.md").blocks.filter(({ language }) => language === "js");
  const folder = await mkdtemp(join(tmpdir(), "receiver-"));
  const file = join(folder, "receiver.mjs");
  await writeFile(file, code);
  let stdout = "";
  let kill = async () => {};
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true });
  });
  return {
    lines: () => stdout.split("\n").slice(0, -1),
    kill: () => kill(),
    async start() {
      const env = { PORT: String(port), NEWSLETTER_WEBHOOK_SECRET: `whsec_${secret.toString("base64")}` };
      const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
      child.stdout.setEncoding("utf8").on("data", (text) => {
        stdout += text;
      });
      kill = async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill("SIGKILL");
        await once(child, "close");
      };
      const isThere = () =>
        fetch(`http://127.0.0.1:${port}`).then(
          () => true,
          () => false,
        );
      await expect.poll(isThere, { timeout: startLimit }).toBe(true);
    },
  };
}
