import { describe, expect, it, onTestFinished, vi } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
import { concurrentMails, DeliveryError } from "../../../../../server/features/newsletter/mail/mail-transport.ts";
import { createMailWorker } from "../../../../../server/features/newsletter/mail/mail-worker.ts";
import { createOutbox, enqueueMails, type Outbox } from "../../../../../server/features/newsletter/mail/outbox.ts";
import { createMetrics } from "../../../../../server/platform/metrics.ts";
import { testLogger } from "../../../../support/test-app.ts";
import { createTestLog } from "../../../../support/test-log.ts";
import { createStorePlace, openTestStore } from "../../../../support/test-store.ts";

const start = Date.UTC(2026, 10, 21);
/** How long a worker owns the mails that it has leased. */
const leaseTime = 2 * minute;
const refusal = new DeliveryError("SMTP EENVELOPE RCPT TO 550", "failed");
const delay = new DeliveryError("SMTP EENVELOPE RCPT TO 451", "postponed");

type WorkerOptions = Parameters<typeof createMailWorker>[0];
type Send = (id: string) => Promise<void> | void;

const mail = {
  ...({ kind: "confirm", site: "DE", recipient: "anna@shop.example" } as const),
  data: { subscriberToken: "secret-1", unsubscribeToken: "secret-2" },
};

/** Creates an outbox, a clock to set, and workers with a given transport. */
async function setUp() {
  const { db } = await openTestStore(testLogger);
  const clock = { now: start };
  const sent: string[] = [];
  const bounced: string[] = [];
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();
  const outbox = createOutbox(db);

  /** Starts a worker. Its `run` sends what is due. */
  const startWorker = (send: Send = () => undefined, changes: Partial<WorkerOptions> = {}) => {
    const close = vi.fn();
    const worker = createMailWorker({
      outbox,
      compose: async ({ id, createdAt }) => ({
        id,
        createdAt,
        envelope: { from: "news@shop.example", to: "anna@shop.example" },
        message: Buffer.from(id),
      }),
      transport: {
        async send({ id }) {
          await send(id);
          sent.push(id);
        },
        close,
      },
      recordBounce: async (address) => void bounced.push(address),
      logger,
      metrics,
      clock: () => clock.now,
      isDraining: () => false,
      ...changes,
    });
    onTestFinished(() => worker.close());
    worker.start();
    const run = async () => {
      worker.wake();
      await worker.idle();
    };
    return { ...worker, closeTransport: close, run };
  };
  const enqueueAt = (at: number, ...ids: string[]) =>
    enqueueMails(
      db,
      ids.map((id) => ({ id, ...mail, at })),
    );
  const enqueue = (...ids: string[]) => enqueueAt(clock.now, ...ids);
  const row = (id: string) => db.selectFrom("mailOutbox").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const attempts = async (outcome: string) =>
    (await metrics.mails.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  const queuedMails = async () => (await metrics.queued.get()).values[0]?.value;
  return { db, outbox, clock, sent, bounced, lines, startWorker, enqueue, enqueueAt, row, attempts, queuedMails };
}

/** Creates a transport that sends nothing until it is opened. */
function createGate() {
  const begun = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const send = () => {
    begun.resolve();
    return opened.promise;
  };
  return { send, begun: begun.promise, open: opened.resolve };
}

describe("mail that is due", () => {
  it("is sent once, not before its time, and its data is deleted", async () => {
    const { clock, sent, startWorker, enqueueAt, row, attempts } = await setUp();
    await enqueueAt(start + 2, "later");
    await enqueueAt(start + 1, "sooner");
    const { run } = startWorker();
    await run();
    expect(sent).toEqual([]);
    clock.now = start + 2;
    await run();
    await run();
    expect(sent.toSorted()).toEqual(["later", "sooner"]);
    const done = { state: "sent", data: "{}", attempts: 1, sentAt: start + 2, leasedUntil: null };
    expect(await row("sooner")).toMatchObject(done);
    expect(await attempts("sent")).toBe(2);
  });

  it("is all sent when the worker wakes, a few at a time", async () => {
    const { startWorker, enqueue, sent } = await setUp();
    let underWay = 0;
    let most = 0;
    const { run } = startWorker(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    });
    await run();
    const ids = Array.from({ length: 2 * concurrentMails + 1 }, (_, i) => `mail-${i}`);
    await enqueue(...ids);
    await run();
    expect(sent.toSorted()).toEqual(ids.toSorted());
    expect(most).toBe(concurrentMails);
  });

  it("isn't missed when it is queued while the worker is busy", async () => {
    const { startWorker, enqueue, sent } = await setUp();
    const gate = createGate();
    await enqueue("first");
    const { wake, idle } = startWorker(gate.send);
    await gate.begun;
    await enqueue("second");
    wake();
    gate.open();
    await idle();
    expect(sent).toEqual(["first", "second"]);
  });

  it("is found by polling as well, which reports how many mails wait", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { startWorker, enqueue, enqueueAt, sent, queuedMails } = await setUp();
    const { idle } = startWorker();
    await idle();
    expect(await queuedMails()).toBe(0);
    await enqueue("left");
    await enqueueAt(start + 1, "later");
    vi.advanceTimersByTime(10_000);
    await idle();
    expect(sent).toEqual(["left"]);
    expect(await queuedMails()).toBe(1);
  });
});

it.each(["a shutdown", "a draining process"])(
  "%s completes the mails being sent, starts no other, and leaves the rest queued",
  async (end) => {
    const { outbox, startWorker, enqueue, sent } = await setUp();
    const { begun, open, send } = createGate();
    const ids = Array.from({ length: concurrentMails + 3 }, (_, i) => `mail-${i}`);
    await enqueue(...ids);
    let isDraining = false;
    const { close, closeTransport, run } = startWorker(send, { isDraining: () => isDraining });
    await begun;
    isDraining = end === "a draining process";
    const closed = isDraining ? undefined : close();
    expect(closeTransport).not.toHaveBeenCalled();
    open();
    await closed;
    await run();
    expect(closeTransport).toHaveBeenCalledTimes(isDraining ? 0 : 1);
    expect(sent).toHaveLength(concurrentMails);
    expect(await outbox.lease(start, start + leaseTime, 9)).toHaveLength(ids.length - concurrentMails);
  },
);

describe("several workers", () => {
  it("never send the same mail", async () => {
    const { startWorker } = await setUp();
    const place = await createStorePlace();
    const stores = [await openTestStore(testLogger, place), await openTestStore(testLogger, place)];
    const ids = Array.from({ length: 40 }, (_, i) => `mail-${i}`);
    const mails = ids.map((id) => ({ id, ...mail, at: start }));
    if (stores[0]) await enqueueMails(stores[0].db, mails);
    const sent: string[] = [];
    const drain = async (outbox: Outbox) => {
      const { run } = startWorker((id) => void sent.push(id), { outbox });
      while ((await outbox.measure(start)).count > 0) await run();
    };
    await Promise.all(stores.map(({ db }) => drain(createOutbox(db))));
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  it("leave one another's mails alone until the lease ends, as when a worker dies", async () => {
    const { clock, outbox, sent, startWorker, enqueue, row } = await setUp();
    await enqueue("held");
    expect(await outbox.lease(start, start + leaseTime, 1)).toHaveLength(1);
    const { run } = startWorker();
    clock.now = start + leaseTime - 1;
    await run();
    expect(sent).toEqual([]);
    clock.now = start + leaseTime;
    await run();
    expect(await row("held")).toMatchObject({ state: "sent", attempts: 2 });
  });

  it.each(["fails", "succeeds"])(
    "change nothing of a mail that another one has taken over: the slow one %s",
    async (end) => {
      const { clock, startWorker, enqueue, row } = await setUp();
      await enqueue("taken");
      const slow = startWorker(async () => {
        clock.now = start + leaseTime;
        await startWorker().run();
        clock.now += 1;
        if (end === "fails") throw delay;
      });
      await slow.run();
      expect(await row("taken")).toMatchObject({ state: "sent", sentAt: start + leaseTime, attempts: 2 });
    },
  );
});

it("a mail is sent again with the same id if the store fails after sending, when its lease ends", async () => {
  const { clock, outbox, sent, lines, startWorker, enqueue, row } = await setUp();
  await enqueue("mail");
  const broken: Outbox = { ...outbox, end: () => Promise.reject(new Error("planted failure")) };
  await startWorker(undefined, { outbox: broken }).run();
  expect(lines).toMatchObject([{ level: 50, msg: "reading or updating the mail outbox failed" }]);
  expect(await row("mail")).toMatchObject({ state: "queued", leasedUntil: start + leaseTime });
  const { run } = startWorker();
  await run();
  expect(sent).toEqual(["mail"]);
  clock.now = start + leaseTime;
  await run();
  expect(sent).toEqual(["mail", "mail"]);
  expect(await row("mail")).toMatchObject({ state: "sent", data: "{}" });
});

describe("a mail that can't be delivered", () => {
  it("isn't given up at its first failure because the clock has gone a day ahead", async () => {
    const { clock, startWorker, enqueue, row } = await setUp();
    await enqueue("mail");
    clock.now += day;
    await startWorker(() => Promise.reject(delay)).run();
    expect(await row("mail")).toMatchObject({ state: "queued", attempts: 1 });
  });

  it("is retried after growing pauses for about a day, then fails permanently", async () => {
    const { clock, startWorker, enqueue, row, lines, attempts } = await setUp();
    await enqueue("mail");
    const { run } = startWorker(() => Promise.reject(delay));
    const pauses: number[] = [];
    let previous = 0;
    while ((await row("mail")).state === "queued") {
      await run();
      const { nextAttemptAt, attempts: count } = await row("mail");
      expect(count, "not before its time").toBe(++previous);
      pauses.push(nextAttemptAt - clock.now);
      clock.now = nextAttemptAt;
    }
    const { createdAt, nextAttemptAt, ...failed } = await row("mail");
    expect(failed).toMatchObject({ state: "failed", sentAt: null, leasedUntil: null });
    expect(failed.data, "an operator may retry it").toContain("secret-1");
    expect(pauses[0]).toBeLessThan(80_000);
    expect(pauses.slice(0, 7)).toEqual(pauses.slice(0, 7).toSorted((a, b) => a - b));
    expect(nextAttemptAt - createdAt).toBeGreaterThanOrEqual(day);
    expect(nextAttemptAt - createdAt).toBeLessThan(1.2 * day);
    expect(await attempts("failed")).toBe(1);
    expect(await attempts("postponed")).toBe(pauses.length - 1);
    const fields = { mail: "mail", kind: "confirm", site: "DE", reason: delay.message };
    expect(lines.at(-1)).toMatchObject({ level: 50, msg: "mail delivery failed permanently", ...fields });
    expect(JSON.stringify(lines)).not.toMatch(/@|secret/);
  });

  it("fails at once when the server refuses it permanently, and delays no other", async () => {
    const { startWorker, enqueue, row, lines, bounced } = await setUp();
    await enqueue("mail", "other");
    await startWorker((id) => (id === "mail" ? Promise.reject(refusal) : undefined)).run();
    expect(await row("mail")).toMatchObject({ state: "failed", attempts: 1 });
    expect(await row("other")).toMatchObject({ state: "sent" });
    expect(bounced, "the refusal may be about the mail").toEqual([]);
    expect(lines).toMatchObject([{ msg: "mail delivery failed permanently", reason: refusal.message }]);
  });

  it("bounces when there is no such mailbox, which is no failure of the service", async () => {
    const { startWorker, enqueue, row, lines, bounced, attempts } = await setUp();
    await enqueue("mail");
    await startWorker(() => Promise.reject(new DeliveryError(refusal.message, "bounced"))).run();
    expect(await row("mail")).toMatchObject({ state: "failed", data: "{}", attempts: 1 });
    expect(bounced).toEqual(["anna@shop.example"]);
    expect([await attempts("bounced"), await attempts("failed")]).toEqual([1, 0]);
    expect(lines).toMatchObject([{ level: 40, msg: "mail bounced: no such mailbox" }]);
  });

  it("is retried if composing it failed: another release may succeed", async () => {
    const { startWorker, enqueue, row, lines } = await setUp();
    await enqueue("mail");
    await startWorker(undefined, { compose: () => Promise.reject(new Error("there is no country XX")) }).run();
    expect(await row("mail")).toMatchObject({ state: "queued", attempts: 1, leasedUntil: null });
    expect(lines).toMatchObject([{ msg: "composing a mail failed, will retry", err: { type: "Error" } }]);
  });
});
