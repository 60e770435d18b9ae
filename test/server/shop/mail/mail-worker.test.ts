import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMetrics } from "../../../../server/metrics.ts";
import { enqueueMails } from "../../../../server/shop/mail/enqueue-mails.ts";
import { atOnce } from "../../../../server/shop/mail/mail-transport.ts";
import { createMailWorker } from "../../../../server/shop/mail/mail-worker.ts";
import { createOutbox } from "../../../../server/shop/mail/outbox.ts";
import { testLogger } from "../../../support/test-app.ts";
import { createTestLog } from "../../../support/test-log.ts";
import { openTestStore } from "../../../support/test-store.ts";

const start = Date.UTC(2026, 10, 21);

/** A worker with a transport that sends when it is let. */
async function setUp(changes: Partial<Parameters<typeof createMailWorker>[0]> = {}) {
  const { db } = await openTestStore(testLogger);
  const sent: string[] = [];
  const gate = { open: Promise.resolve() };
  const begun = Promise.withResolvers<void>();
  const metrics = createMetrics();
  const { logger, lines } = createTestLog();
  const close = vi.fn();
  const worker = createMailWorker({
    outbox: createOutbox(db),
    compose: async ({ id, createdAt }) => ({
      ...{ id, createdAt, envelope: { from: "news@shop.example", to: "anna@shop.example" } },
      message: Buffer.from(id),
    }),
    transport: {
      async send({ id }) {
        begun.resolve();
        await gate.open;
        sent.push(id);
      },
      close,
    },
    noteBounce: async () => undefined,
    logger,
    metrics,
    clock: () => start,
    isDraining: () => false,
    ...changes,
  });
  onTestFinished(() => worker.close());
  worker.start();
  const enqueue = (...ids: string[]) =>
    db.transaction().execute(async (transaction) => {
      const mail = { kind: "welcome", site: "DE", recipient: "a@shop.example", at: start } as const;
      await enqueueMails(
        transaction,
        ids.map((id) => ({ id, ...mail, data: { unsubscribeToken: "secret" } })),
      );
    });
  const queuedMails = async () => (await metrics.queued.get()).values[0]?.value;
  return { db, worker, enqueue, sent, gate, begun: begun.promise, close, lines, queuedMails };
}

describe("the mail worker", () => {
  it("sends all there is when it is woken", async () => {
    const { worker, enqueue, sent } = await setUp();
    await worker.idle();
    const ids = Array.from({ length: 2 * atOnce + 1 }, (_, i) => `mail-${i}`);
    await enqueue(...ids);
    worker.wake();
    await worker.idle();
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  it("doesn't miss a mail that comes while it is at work", async () => {
    const { worker, enqueue, sent, gate } = await setUp();
    await worker.idle();
    const { promise, resolve } = Promise.withResolvers<void>();
    gate.open = promise;
    await enqueue("first");
    worker.wake();
    await enqueue("second");
    worker.wake();
    resolve();
    await worker.idle();
    expect(sent).toEqual(["first", "second"]);
  });

  it("looks by itself from time to time: for mails that are due again, or another replica's; and tells how many wait", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { db, worker, enqueue, sent, queuedMails } = await setUp();
    await worker.idle();
    expect(await queuedMails()).toBe(0);
    await enqueue("left", "later");
    await db
      .updateTable("mailOutbox")
      .set({ nextAttemptAt: start + 1 })
      .where("id", "=", "later")
      .execute();
    vi.advanceTimersByTime(10_000);
    await worker.idle();
    expect(sent).toEqual(["left"]);
    expect(await queuedMails()).toBe(1);
  });

  it("finishes what is under way when it is closed, begins nothing, and leaves the rest queued", async () => {
    const { db, worker, enqueue, sent, gate, begun, close } = await setUp();
    await worker.idle();
    const { promise, resolve } = Promise.withResolvers<void>();
    gate.open = promise;
    const ids = Array.from({ length: atOnce + 3 }, (_, i) => `mail-${i}`);
    await enqueue(...ids);
    worker.wake();
    await begun;
    const closed = worker.close();
    expect(close).not.toHaveBeenCalled();
    resolve();
    await closed;
    expect(close).toHaveBeenCalledOnce();
    expect(sent).toHaveLength(atOnce);
    worker.wake();
    await worker.idle();
    expect(sent).toHaveLength(atOnce);
    expect(await createOutbox(db).count()).toBe(ids.length - atOnce);
  });

  it("begins nothing while the process drains", async () => {
    const { worker, enqueue, sent } = await setUp({ isDraining: () => true });
    await enqueue("left");
    worker.wake();
    await worker.idle();
    expect(sent).toEqual([]);
  });

  it("goes on at the next look when the store has failed", async () => {
    const { db } = await openTestStore(testLogger);
    const real = createOutbox(db);
    let failures = 1;
    const outbox: typeof real = {
      ...real,
      lease: (...parameters) => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error("planted failure")) : real.lease(...parameters);
      },
    };
    const { worker, lines, queuedMails } = await setUp({ outbox });
    await worker.idle();
    expect(lines).toEqual([
      expect.objectContaining({ level: 50, msg: "the mail worker could not work on the outbox" }),
    ]);
    worker.wake();
    await worker.idle();
    expect(lines).toHaveLength(1);
    expect(await queuedMails()).toBe(0);
  });
});
