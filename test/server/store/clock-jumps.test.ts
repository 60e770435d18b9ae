import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { day, hour, minute } from "../../../client/rules/time.ts";
import { createLoginThrottle } from "../../../server/accounts/login-throttle.ts";
import { createMailWorker } from "../../../server/features/newsletter/mail/mail-worker.ts";
import { createOutbox, enqueueMails } from "../../../server/features/newsletter/mail/outbox.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { createNetworkLimiter } from "../../../server/store/network-limiter.ts";
import { openLogin, pass, renewed, restoreTime, signIn } from "../../support/login-test.ts";
import { callerOf, openNewsletter, signUpOf } from "../../support/newsletter-test.ts";
import { testLogger } from "../../support/test-app.ts";
import { openTestStore, testKeys } from "../../support/test-store.ts";

const jumps = [
  { jump: "two hours back", by: -2 * hour },
  { jump: "a day back", by: -day },
  { jump: "two hours ahead", by: 2 * hour },
  { jump: "a day ahead", by: day },
];

afterAll(restoreTime);

describe.each(jumps)("after the clock has gone $jump", ({ by }) => {
  it("the mail of a sign-up is due at once, whatever was requested before", async () => {
    const { db, newsletter, pass: move, now } = await openNewsletter();
    const ask = (email: string) => newsletter.subscribe(signUpOf(email), callerOf("DE"));
    // More than the domain's budget for an hour, and a mailbox's emails for a day.
    for (let i = 0; i < 40; i++) await ask(`${i}@lovelace.family`);
    for (const site of ["AT", "DE", "PL"]) await newsletter.subscribe(signUpOf("ada@web.de"), callerOf(site));
    move(by);
    for (const email of ["byron@lovelace.family", "ada@web.de"]) {
      expect(await ask(email)).toEqual({ status: "accepted" });
      const mails = db
        .selectFrom("mailOutbox")
        .selectAll()
        .where("recipient", "=", email)
        .where("queuedAt", "=", now());
      const waits = (await mails.execute()).map(({ nextAttemptAt }) => nextAttemptAt - now());
      // Two hours ahead, the mailbox has already got its emails for the day.
      expect(waits, email).toEqual(by === 2 * hour && email === "ada@web.de" ? [] : [0]);
    }
  });

  it("a network that had used up its budget has a new one, in every replica", async () => {
    const { db } = await openTestStore(testLogger);
    const [one, other] = ["jumps", "jumps"].map((name) =>
      createNetworkLimiter(db, testKeys, { name, perMinute: 2, perHour: 2 }, () => undefined),
    );
    const at = Date.UTC(2026, 10, 22);
    for (let i = 0; i < 3; i++) await one?.consume("192.0.2.1", at);
    expect(await other?.wait("192.0.2.1", at)).toBe(hour);
    for (const replica of [other, one]) expect(await replica?.wait("192.0.2.1", at + by)).toBe(0);
    for (const replica of [other, one]) expect(await replica?.consume("192.0.2.1", at + by)).toBe(0);
    expect(await other?.consume("192.0.2.1", at + by), "counted from the new time").toBe(hour);
  });

  it("a sign-in waits for no attempt before", async () => {
    const { db } = await openTestStore(testLogger);
    const throttle = createLoginThrottle(db, testKeys, "customer");
    const at = Date.UTC(2026, 10, 22);
    let wait = 0;
    for (let i = 0; i < 20; i++) ({ wait } = await throttle.countAttempt("ada@shop.example", at));
    expect(wait).toBeGreaterThan(0);
    expect(await throttle.countAttempt("ada@shop.example", at + by)).toMatchObject({ wait: 0, isFirst: true });
  });

  it("mails of before are sent, also postponed ones and those of a worker that has died", async () => {
    const { db } = await openTestStore(testLogger);
    const outbox = createOutbox(db);
    const at = Date.UTC(2026, 10, 22);
    let now = at;
    const enqueue = async (id: string, due = at, queuedAt = due) => {
      const data = { unsubscribeToken: randomUUID() };
      const mail = { id, kind: "welcome", site: "DE", recipient: "ada@shop.example", data } as const;
      await enqueueMails(db, [{ ...mail, at: due, queuedAt }]);
    };
    await enqueue("leased");
    await outbox.lease(at, at + 2 * minute, 1);
    await enqueue("postponed", at - 3 * day);
    for (const mail of await outbox.lease(at, at + 2 * minute, 1)) await outbox.postpone(mail, at + 2 * hour);
    await enqueue("due");
    await enqueue("limited", at + 3 * hour, at);
    const sent: string[] = [];
    const worker = createMailWorker({
      outbox,
      logger: testLogger,
      metrics: createMetrics(),
      clock: () => now,
      isDraining: () => false,
      compose: async ({ id, createdAt }) => ({
        id,
        createdAt,
        envelope: { from: "", to: "" },
        message: Buffer.from(id),
      }),
      transport: { send: async ({ id }) => void sent.push(id), close: () => undefined },
      recordBounce: async () => undefined,
    });
    onTestFinished(() => worker.close());
    now = at + by;
    worker.start();
    await worker.idle();
    expect(sent.toSorted()).toEqual(["due", "leased", ...(by === day ? ["limited"] : []), "postponed"]);
    if (by === day) return;
    const left = await db.selectFrom("mailOutbox").selectAll().where("id", "=", "limited").executeTakeFirstOrThrow();
    expect(left.nextAttemptAt - now, "as long as its limit asks").toBe(by > 0 ? hour : 3 * hour);
    expect(left.createdAt, "which its Date header shows").toBe(left.nextAttemptAt);
  });

  it("a session goes on until its end, and used-up credentials stay used up", async () => {
    const bench = await openLogin((await openTestStore(testLogger)).db);
    const first = await signIn(bench, { stayLoggedIn: true });
    pass(minute);
    const { jar } = await renewed(bench, first);
    pass(by);
    expect(await renewed(bench, jar)).toMatchObject({ status: "renewed" });
    pass(minute);
    expect(await renewed(bench, first)).toMatchObject({ status: "ended" });
  });
});
