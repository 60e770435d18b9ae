import { describe, expect, it } from "vitest";
import { createMetrics } from "../../../../server/metrics.ts";
import { createOutage } from "../../../../server/outage.ts";
import {
  type DeliveryParts,
  deliverMails,
  leaseTime,
  mailPauses,
  triedFor,
} from "../../../../server/shop/mail/deliver-mails.ts";
import { enqueueMails } from "../../../../server/shop/mail/enqueue-mails.ts";
import { atOnce, DeliveryError } from "../../../../server/shop/mail/mail-transport.ts";
import { createOutbox } from "../../../../server/shop/mail/outbox.ts";
import { pauseAfter } from "../../../../server/shop/queue/retries.ts";
import { testLogger } from "../../../support/test-app.ts";
import { createTestLog } from "../../../support/test-log.ts";
import { createStorePlace, openTestStore } from "../../../support/test-store.ts";

const start = Date.UTC(2026, 10, 21);
const refusal = new DeliveryError("SMTP EENVELOPE RCPT TO 550", true);
const delay = new DeliveryError("SMTP EENVELOPE RCPT TO 451", false);

/** An outbox, a clock to set, and workers with a transport that does as it is told. */
async function setUp() {
  const { db } = await openTestStore(testLogger);
  const clock = { now: start };
  const sent: string[] = [];
  const bounced: string[] = [];
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();

  const worker = (send: (id: string) => Promise<void> | void = () => undefined): DeliveryParts => ({
    outbox: createOutbox(db),
    compose: async ({ id, createdAt }) => ({
      ...{ id, createdAt, envelope: { from: "news@shop.example", to: "anna@shop.example" } },
      message: Buffer.from(id),
    }),
    transport: {
      async send({ id }) {
        await send(id);
        sent.push(id);
      },
      close() {},
    },
    noteBounce: async (address) => void bounced.push(address),
    logger,
    outage: createOutage(logger, { away: "the mail server hasn't taken mails", back: "the mail server takes mails" }),
    metrics,
    clock: () => clock.now,
  });
  const enqueue = (id: string, at = clock.now) =>
    db.transaction().execute((transaction) =>
      enqueueMails(transaction, [
        {
          ...{ id, kind: "confirm", site: "DE", recipient: "anna@shop.example", at },
          data: { subscriberToken: "secret-1", unsubscribeToken: "secret-2" },
        },
      ]),
    );
  const row = (id: string) => db.selectFrom("mailOutbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const attempts = async (outcome: string) =>
    (await metrics.mails.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  return { db, clock, sent, bounced, lines, metrics, worker, enqueue, row, attempts };
}

describe("mail that is due", () => {
  it("is sent once, the longest due first, and keeps nothing that it was made from", async () => {
    const { clock, sent, worker, enqueue, row, attempts } = await setUp();
    await enqueue("later", start + 2);
    await enqueue("sooner", start + 1);
    clock.now = start + 2;
    expect(await deliverMails(worker())).toBe(2);
    expect(sent.toSorted()).toEqual(["later", "sooner"]);
    expect(await row("sooner")).toMatchObject({
      state: "sent",
      data: "{}",
      attempts: 1,
      sentAt: start + 2,
      leasedUntil: null,
    });
    expect(await deliverMails(worker())).toBe(0);
    expect(await attempts("sent")).toBe(2);
  });

  it("waits for the transaction it came with, and goes with it", async () => {
    const { db, worker, row } = await setUp();
    const failing = db.transaction().execute(async (transaction) => {
      const data = { unsubscribeToken: "secret" };
      const envelope = { id: "never", site: "DE", recipient: "anna@shop.example", at: start };
      await enqueueMails(transaction, [{ kind: "alreadySubscribed", data, ...envelope }]);
      throw new Error("planted failure");
    });
    await expect(failing).rejects.toThrow("planted failure");
    expect(await deliverMails(worker())).toBe(0);
    await expect(row("never")).rejects.toThrow();
  });

  it("isn't sent before its time", async () => {
    const { sent, worker, enqueue } = await setUp();
    await enqueue("tomorrow", start + 1);
    expect(await deliverMails(worker())).toBe(0);
    expect(sent).toEqual([]);
  });

  it("goes out a few at a time, side by side", async () => {
    const { worker, enqueue, sent } = await setUp();
    for (let i = 0; i < atOnce + 2; i += 1) await enqueue(`mail-${i}`);
    let underWay = 0;
    let most = 0;
    const slow = worker(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    });
    expect(await deliverMails(slow)).toBe(atOnce);
    expect(await deliverMails(slow)).toBe(2);
    expect(most).toBe(atOnce);
    expect(sent).toHaveLength(atOnce + 2);
  });
});

describe("several workers", () => {
  it("never send the same mail", async () => {
    const place = await createStorePlace();
    const stores = [await openTestStore(testLogger, place), await openTestStore(testLogger, place)];
    const { worker } = await setUp();
    const ids = Array.from({ length: 40 }, (_, i) => `mail-${i}`);
    await stores[0]?.db.transaction().execute(async (transaction) => {
      const mail = { kind: "welcome", site: "DE", recipient: "a@shop.example", at: start } as const;
      await enqueueMails(
        transaction,
        ids.map((id) => ({ id, ...mail, data: { unsubscribeToken: "secret" } })),
      );
    });
    const sent: string[] = [];
    const drain = async (outbox: DeliveryParts["outbox"]) => {
      while ((await outbox.count()) > 0) await deliverMails({ ...worker((id) => void sent.push(id)), outbox });
    };
    await Promise.all(stores.map(({ db }) => drain(createOutbox(db))));
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  it("leave one another the mails that are under way, until the lease is over", async () => {
    const { clock, worker, enqueue, row } = await setUp();
    await enqueue("held");
    const outbox = worker().outbox;
    expect(await outbox.lease(start, start + leaseTime, atOnce)).toHaveLength(1);
    clock.now = start + leaseTime - 1;
    expect(await deliverMails(worker())).toBe(0);
    clock.now = start + leaseTime;
    expect(await deliverMails(worker())).toBe(1);
    expect(await row("held")).toMatchObject({ state: "sent", attempts: 2 });
  });

  it("change nothing of a mail that another one has taken over", async () => {
    const { clock, worker, enqueue, row } = await setUp();
    await enqueue("taken");
    const slow = worker(async () => {
      clock.now = start + leaseTime;
      await deliverMails(worker());
      clock.now += 1;
      throw delay;
    });
    await deliverMails(slow);
    expect(await row("taken")).toMatchObject({ state: "sent", sentAt: start + leaseTime, attempts: 2 });
  });
});

describe("a worker that dies", () => {
  it("before the mail is out: it is sent when the lease is over", async () => {
    const { clock, sent, worker, enqueue } = await setUp();
    await enqueue("mail");
    await worker().outbox.lease(start, start + leaseTime, atOnce);
    clock.now = start + leaseTime;
    await deliverMails(worker());
    expect(sent).toEqual(["mail"]);
  });

  it("or whose store fails between sending and the note of it: it is sent again, under the same id", async () => {
    const { clock, sent, worker, enqueue, row } = await setUp();
    await enqueue("mail");
    const broken = worker();
    broken.outbox = { ...broken.outbox, end: () => Promise.reject(new Error("planted failure")) };
    await expect(deliverMails(broken)).rejects.toThrow("planted failure");
    expect(await row("mail")).toMatchObject({ state: "queued", leasedUntil: start + leaseTime });
    expect(await deliverMails(worker())).toBe(0);
    clock.now = start + leaseTime;
    await deliverMails(worker());
    expect(sent).toEqual(["mail", "mail"]);
    expect(await row("mail")).toMatchObject({ state: "sent", data: "{}" });
  });
});

describe("a mail that can't be handed over", () => {
  it("is tried again after growing pauses, for about a day, then given up", async () => {
    const { clock, worker, enqueue, row, lines, attempts } = await setUp();
    await enqueue("mail");
    const failing = worker(() => Promise.reject(delay));
    const pauses: number[] = [];
    while ((await row("mail")).state === "queued") {
      expect(await deliverMails(failing)).toBe(1);
      const { nextAttemptAt } = await row("mail");
      expect(await deliverMails(failing), "not before its time").toBe(0);
      pauses.push(nextAttemptAt - clock.now);
      clock.now = nextAttemptAt;
    }
    expect(await row("mail")).toMatchObject({ state: "failed", sentAt: null, leasedUntil: null });
    expect((await row("mail")).data, "an operator may try it once more").toContain("secret-1");
    expect(pauses[0]).toBeLessThan(80_000);
    expect(pauses.slice(0, 7)).toEqual(pauses.slice(0, 7).toSorted((a, b) => a - b));
    const { createdAt, nextAttemptAt } = await row("mail");
    expect(nextAttemptAt - createdAt).toBeGreaterThanOrEqual(triedFor);
    expect(nextAttemptAt - createdAt).toBeLessThan(1.2 * triedFor);
    expect(await attempts("failed")).toBe(1);
    expect(await attempts("postponed")).toBe(pauses.length - 1);
    expect(lines.at(-1)).toMatchObject({
      level: 50,
      msg: "the mail worker gave a mail up",
      mail: "mail",
      kind: "confirm",
      site: "DE",
      reason: delay.message,
    });
    expect(JSON.stringify(lines)).not.toMatch(/@|secret/);
  });

  it("is given up at once when the server refuses it for good", async () => {
    const { worker, enqueue, row, lines, bounced } = await setUp();
    await enqueue("mail");
    await deliverMails(worker(() => Promise.reject(refusal)));
    expect(await row("mail")).toMatchObject({ state: "failed", attempts: 1 });
    expect(bounced, "the refusal may be about the mail").toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({ msg: "the mail worker gave a mail up", reason: refusal.message }),
    ]);
  });

  it("bounces where there is no such mailbox: that is noted, and no failure of ours", async () => {
    const { worker, enqueue, row, lines, bounced, attempts } = await setUp();
    await enqueue("mail");
    await deliverMails(worker(() => Promise.reject(new DeliveryError(refusal.message, true, { noMailbox: true }))));
    expect(await row("mail")).toMatchObject({ state: "failed", data: "{}", attempts: 1 });
    expect(bounced).toEqual(["anna@shop.example"]);
    expect([await attempts("bounced"), await attempts("failed")]).toEqual([1, 0]);
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, msg: "the mail worker gave a mail up, as there is no such mailbox" }),
    ]);
  });

  it("holds up no other", async () => {
    const { worker, enqueue, sent, row } = await setUp();
    for (const id of ["first", "second", "third"]) await enqueue(id);
    await deliverMails(worker((id) => (id === "second" ? Promise.reject(delay) : undefined)));
    expect(sent.toSorted()).toEqual(["first", "third"]);
    expect(await row("second")).toMatchObject({ state: "queued", attempts: 1 });
  });

  it("or can't even be composed is tried again, too: another release may do better", async () => {
    const { worker, enqueue, row, lines } = await setUp();
    await enqueue("mail");
    await deliverMails({ ...worker(), compose: () => Promise.reject(new Error("there is no country XX")) });
    expect(await row("mail")).toMatchObject({ state: "queued", attempts: 1, leasedUntil: null });
    expect(lines).toEqual([
      expect.objectContaining({
        msg: "the mail worker could not compose a mail, and put it off",
        err: expect.objectContaining({ type: "Error" }),
      }),
    ]);
  });
});

describe("the pause after an attempt", () => {
  it.each([
    [1, 0.5, 60_000],
    [2, 0.5, 120_000],
    [3, 0, 192_000],
    [3, 1, 288_000],
    [8, 0.5, 7_200_000],
    [100, 0.5, 7_200_000],
    [5_000, 1, 8_640_000],
  ])("number %i doubles up to two hours, spread by a fifth (%f)", (attempts, random, pause) => {
    expect(pauseAfter(attempts, mailPauses, random)).toBe(pause);
  });
});
