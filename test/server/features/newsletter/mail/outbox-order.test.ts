import fc from "fast-check";
import { expect, it } from "vitest";
import { hour, minute } from "../../../../../client/rules/time.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/embedded/erase-address.ts";
import { DeliveryError } from "../../../../../server/features/newsletter/mail/mail-transport.ts";
import { createMailWorker } from "../../../../../server/features/newsletter/mail/mail-worker.ts";
import {
  createOutbox,
  dropMail,
  enqueueMails,
  type LeasedMail,
  retryMails,
} from "../../../../../server/features/newsletter/mail/outbox.ts";
import { createSuppression } from "../../../../../server/features/newsletter/mail/suppression.ts";
import { createMetrics } from "../../../../../server/platform/metrics.ts";
import { inTransaction } from "../../../../../server/store/open-store.ts";
import { openMemoryStore, triedOrders } from "../../../../support/memory-store.ts";
import { createTestLog } from "../../../../support/test-log.ts";
import { testKeys } from "../../../../support/test-store.ts";

/** The fate of emails that a worker has leased. */
type Fate = "delivered" | "postponed" | "crash before sending" | "crash after sending";

/** The outbox's promises about an email. */
interface Mail {
  id: string;
  recipient: string;
  /** Whether it was dropped, suppressed or erased. */
  isGone: boolean;
  /** Whether its delivery is recorded. */
  isDone: boolean;
  deliveries: number;
  /** Deliveries that weren't recorded, because of a crash or an expired lease. */
  unrecorded: number;
  /** The end of its last lease. */
  leasedUntil: number;
}

it(`a mail is sent at least once, once without a crash, and never after it was dropped (${triedOrders} orders)`, async () => {
  const db = await openMemoryStore();
  const outbox = createOutbox(db);
  const metrics = createMetrics();
  const { logger } = createTestLog();
  const suppression = createSuppression(testKeys);
  let now = Date.UTC(2026, 10, 21);
  let count = 0;
  let mails = new Map<string, Mail>();
  let held: (() => Promise<void>)[] = [];
  let faults: string[] = [];

  const mailOf = (id: string) => mails.get(id) ?? expect.fail(`there is no ${id}`);
  const crash = () => Promise.reject(new Error("the process has ended"));

  /** Starts a process that sends what is due. */
  function startWorker(fate: Fate, beforeSending: (id: string) => Promise<void> | void = () => undefined) {
    const isCrash = fate.startsWith("crash");
    const whileLeased = (leased: LeasedMail, note: (mail: Mail) => void) => {
      const mail = mailOf(leased.id);
      if (mail.leasedUntil === leased.leasedUntil) note(mail);
      else mail.unrecorded++;
    };
    const recorded: typeof outbox = {
      ...outbox,
      async end(leased, outcome, at) {
        if (isCrash) {
          mailOf(leased.id).unrecorded++;
          return crash();
        }
        await outbox.end(leased, outcome, at);
        whileLeased(leased, (mail) => {
          mail.isDone = true;
        });
      },
      async postpone(leased, at) {
        if (isCrash) return crash();
        await outbox.postpone(leased, at);
        const mail = mailOf(leased.id);
        if (mail.leasedUntil === leased.leasedUntil) mail.leasedUntil = 0;
      },
    };
    const worker = createMailWorker({
      outbox: recorded,
      async compose({ id, createdAt, leasedUntil }) {
        const mail = mailOf(id);
        if (mail.isGone || mail.isDone) faults.push(`${id} is sent after its end`);
        if (mail.leasedUntil > now) faults.push(`${id} is sent by two workers`);
        mail.leasedUntil = leasedUntil ?? 0;
        const envelope = { from: "news@shop.example", to: mail.recipient };
        return { id, createdAt, envelope, message: Buffer.from(id) };
      },
      transport: {
        async send({ id }) {
          await beforeSending(id);
          if (fate === "postponed" || fate === "crash before sending") throw new DeliveryError("421", "postponed");
          mailOf(id).deliveries++;
        },
        close: () => undefined,
      },
      recordBounce: async () => undefined,
      logger,
      metrics,
      clock: () => now,
      isDraining: () => false,
    });
    worker.start();
    return worker;
  }

  async function runWorker(fate: Fate): Promise<void> {
    const worker = startWorker(fate);
    await worker.idle();
    await worker.close();
  }

  /** Starts a worker that begins to send, and waits until it is released. */
  async function holdWorker(): Promise<void> {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const worker = startWorker("delivered", () => {
      begun.resolve();
      return released.promise;
    });
    await Promise.race([begun.promise, worker.idle()]);
    held.push(async () => {
      released.resolve();
      await worker.idle();
      await worker.close();
    });
  }

  const actions: Record<string, (mail: Mail | undefined) => Promise<unknown>> = {
    async enqueue() {
      const [id, recipient] = [`mail-${++count}`, `ada-${count}@shop.example`];
      const data = { subscriberToken: "secret-1", unsubscribeToken: "secret-2" };
      await enqueueMails(db, [{ id, kind: "confirm", site: "DE", recipient, data, at: now }]);
      mails.set(id, { id, recipient, isGone: false, isDone: false, deliveries: 0, unrecorded: 0, leasedUntil: 0 });
    },
    deliver: () => runWorker("delivered"),
    deliverByTwo: () => Promise.all([runWorker("delivered"), runWorker("delivered")]),
    postpone: () => runWorker("postponed"),
    crashBeforeSending: () => runWorker("crash before sending"),
    crashAfterSending: () => runWorker("crash after sending"),
    hold: holdWorker,
    release: async () => held.shift()?.(),
    retry: async (mail) => mail && retryMails(db, now, mail.id),
    async drop(mail) {
      if (mail && (await dropMail(db, now, mail.id))) mail.isGone = true;
    },
    async suppress(mail) {
      if (!mail) return;
      await inTransaction(db, (transaction) => suppression.suppress(transaction, mail.recipient, now));
      mail.isGone = true;
    },
    async erase(mail) {
      if (!mail) return;
      await eraseAddress(db, testKeys, mail.recipient, "/nowhere", now);
      mail.isGone = true;
    },
  };

  const often = ["enqueue", "enqueue", "enqueue", "deliver", "hold", "release"];
  const command = fc
    .record({
      name: fc.constantFrom(...often, ...Object.keys(actions)),
      which: fc.nat(9),
      minutes: fc.constantFrom(0, 0, 1, 3, 90),
    })
    .map(({ name, which, minutes }) => ({
      check: () => true,
      toString: () => `${minutes} minutes later ${name}(${which})`,
      async run() {
        now += minutes * minute;
        const known = [...mails.values()];
        await actions[name]?.(known[which % known.length]);
      },
    }));
  const orders = fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 8 }), async (commands) => {
    await db.deleteFrom("mailOutbox").execute();
    [mails, held, faults] = [new Map(), [], []];
    await actions.enqueue?.(undefined);
    await fc.asyncModelRun(() => ({ model: {}, real: undefined }), commands);
    for (const release of held) await release();
    for (let round = 0; round < 4 && (await outbox.measure(now)).count > 0; round++) {
      now += 3 * hour;
      await runWorker("delivered");
    }
    expect(faults).toEqual([]);
    expect((await outbox.measure(now)).count).toBe(0);
    for (const { id, isGone, deliveries, unrecorded } of mails.values()) {
      if (isGone) continue;
      expect(deliveries, id).toBeGreaterThan(0);
      if (unrecorded === 0) expect(deliveries, id).toBe(1);
    }
  });
  // On a busy machine fewer are tried.
  await fc.assert(orders, { numRuns: triedOrders, interruptAfterTimeLimit: minute });
});
