import { describe, expect, it } from "vitest";
import { day, hour, minute } from "../../../../../client/rules/time.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/erase-address.ts";
import { createOutbox } from "../../../../../server/features/newsletter/mail/outbox.ts";
import { inTransaction } from "../../../../../server/store/in-transaction.ts";
import {
  type Bench,
  callerOf,
  lastMail,
  mailsTo,
  openNewsletter,
  signUp,
  signUpOf,
  subscriptionOf,
} from "../../../../support/newsletter-test.ts";
import { testLogger } from "../../../../support/test-app.ts";
import { openTestStore, testKeys } from "../../../../support/test-store.ts";

const accepted = { status: "accepted" };

const ask = ({ newsletter }: Bench, email: string, site = "DE", address?: string) =>
  newsletter.subscribe(signUpOf(email), callerOf(site, address));

/** Counts how often each limit was exceeded, by outcome. */
async function met({ metrics }: Bench) {
  const { values } = await metrics.mailLimits.get();
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.limit} ${labels.outcome}`, value]));
}

const suppress = ({ db, suppression, now }: Bench, email: string) =>
  inTransaction(db, (transaction) => suppression.suppress(transaction, email, now()));

describe("a mailbox", () => {
  it("gets at most one mail in 15 minutes and three in a day, on any site and with any tag; the others wait", async () => {
    const bench = await openNewsletter();
    const { db, now, pass } = bench;
    const due = async () => {
      const mails = db.selectFrom("mailOutbox").select("nextAttemptAt").where("mailbox", "=", "victim@shop.example");
      return (await mails.execute()).filter(({ nextAttemptAt }) => nextAttemptAt <= now()).length;
    };
    for (let i = 0; i < 20; i++) expect(await ask(bench, `Victim+${i}@shop.example`)).toEqual(accepted);
    expect(await ask(bench, "victim@shop.example", "AT")).toEqual(accepted);
    expect(await due()).toBe(1);
    pass(15 * minute);
    expect(await due()).toBe(2);
    pass(day - 15 * minute - 1);
    expect(await due()).toBe(3);
    expect(await met(bench)).toEqual({ "mailbox postponed": 3, "mailbox dropped": 17 });
    expect(await db.selectFrom("consentRecord").select("event").execute(), "of those with a mail").toHaveLength(4);
    pass(1);
    expect(await due()).toBe(4);
    expect(await ask(bench, "victim@shop.example", "CH")).toEqual(accepted);
    expect(await due()).toBe(4);
  });
});

describe("a network", () => {
  it("of IPv4 may sign up 60 times a minute and 300 times an hour, on all replicas together", async () => {
    const first = await openNewsletter();
    const second = await openNewsletter(first.db);
    const replicas = [first, second];
    let count = 0;
    const askOne = (replica: Bench) => ask(replica, `${count++}@shop.example`, "DE", "192.0.2.1");
    for (let i = 0; i < 30; i++) for (const replica of replicas) expect(await askOne(replica)).toEqual(accepted);
    for (const replica of replicas) expect(await askOne(replica)).toEqual({ status: "rateLimited", retryAfter: 60 });
    expect(await ask(first, "other@shop.example", "DE", "192.0.2.2")).toEqual(accepted);

    for (let i = 1; i < 5; i++) {
      for (const replica of replicas) replica.pass(minute);
      for (let j = 0; j < 60; j++) await askOne(first);
    }
    for (const replica of replicas) replica.pass(minute);
    expect(await askOne(second)).toEqual({ status: "rateLimited", retryAfter: 55 * 60 });
    expect(await met(second)).toEqual({ "network refused": 2 });
  }, 60_000);

  it.each([
    ["a /64", 20, (i: number) => `2001:db8:1:2:${i}::1`],
    ["a /56 with many /64s", 40, (i: number) => `2001:db8:1:${(0x200 + i).toString(16)}::1`],
    ["a /48 with many /56s", 60, (i: number) => `2001:db8:1:${(i * 0x100).toString(16)}::1`],
  ])("of IPv6 may make more calls the wider it is: %s, %i a minute", async (_what, limit, addressOf) => {
    const bench = await openNewsletter();
    const statuses: string[] = [];
    for (let i = 0; i < 70; i++) statuses.push((await ask(bench, `${i}@shop.example`, "DE", addressOf(i))).status);
    expect(statuses).toEqual(statuses.map((_status, i) => (i < limit ? "accepted" : "rateLimited")));
  });
});

describe("a site's budget of mails", () => {
  const spend = ({ db }: Bench, spentUntil: number) =>
    db.insertInto("mailBudget").values({ name: "DE", spentUntil }).execute();
  const dueOf = async ({ db }: Bench, recipient: string) =>
    (await db.selectFrom("mailOutbox").select("nextAttemptAt").where("recipient", "=", recipient).executeTakeFirst())
      ?.nextAttemptAt;

  it("delays mails once it is used up, and those of no other site", async () => {
    const bench = await openNewsletter();
    await spend(bench, bench.now() + 2 * hour);
    expect(await ask(bench, "late@shop.example")).toEqual(accepted);
    expect(await subscriptionOf(bench.db, "late@shop.example")).toMatchObject({ state: "pending" });
    expect(await dueOf(bench, "late@shop.example")).toBeGreaterThan(bench.now() + hour);
    expect(await ask(bench, "prompt@shop.example", "AT")).toEqual(accepted);
    expect(await dueOf(bench, "prompt@shop.example")).toBe(bench.now());
    expect(await met(bench)).toEqual({ "site postponed": 1 });
  });

  it("refuses sign-ups once mails would be half a day late, for known addresses as well", async () => {
    const bench = await openNewsletter();
    await signUp(bench, "known@shop.example");
    await bench.db.deleteFrom("mailBudget").execute();
    await spend(bench, bench.now() + 13 * hour + minute);
    for (const email of ["known@shop.example", "new@shop.example"])
      expect(await ask(bench, email)).toEqual({ status: "rateLimited", retryAfter: 60 });
    expect(await subscriptionOf(bench.db, "new@shop.example")).toBeUndefined();
    expect(await ask(bench, "prompt@shop.example", "AT")).toEqual(accepted);
    expect(await met(bench)).toEqual({ "site refused": 2 });
    bench.pass(minute);
    expect(await ask(bench, "new@shop.example")).toEqual(accepted);
  });

  it("counts resent mails as well", async () => {
    const bench = await openNewsletter();
    const token = await signUp(bench, "slow@shop.example");
    bench.pass(day);
    await bench.db.deleteFrom("mailBudget").execute();
    await spend(bench, bench.now() + 14 * hour);
    const resend = () => bench.newsletter.resend(token, callerOf("DE"));
    expect(await resend()).toEqual({ status: "rateLimited", retryAfter: 3600 });
    bench.pass(hour);
    expect(await resend()).toEqual(accepted);
    const [, resent] = await mailsTo(bench.db, "slow@shop.example");
    expect(resent?.createdAt).toBeGreaterThan(bench.now() + 11 * hour);
  });
});

describe("a domain that may be one person's", () => {
  const dueTimes = async ({ db }: Bench) =>
    (await db.selectFrom("mailOutbox").select("nextAttemptAt").orderBy("nextAttemptAt").execute()).map(
      ({ nextAttemptAt }) => nextAttemptAt,
    );

  it("gets 30 mails at once and 30 an hour; more than 12 hours later it gets none, and no answer tells", async () => {
    const bench = await openNewsletter();
    const start = bench.now();
    for (let i = 0; i < 60; i++) expect(await ask(bench, `${i}@${i % 9}.lovelace.family`)).toEqual(accepted);
    const times = await dueTimes(bench);
    expect(times.filter((time) => time === start)).toHaveLength(30);
    expect(times.filter((time) => time > start && time <= start + hour)).toHaveLength(30);
    await bench.db
      .updateTable("mailBudget")
      .set({ spentUntil: start + 13 * hour })
      .where("name", "like", "%.%")
      .execute();
    for (const name of ["last", "none"]) expect(await ask(bench, `${name}@lovelace.family`)).toEqual(accepted);
    expect((await dueTimes(bench)).slice(60)).toEqual([start + 12 * hour + 2 * minute]);
    expect(await subscriptionOf(bench.db, "none@lovelace.family")).toBeUndefined();
    expect(await met(bench)).toEqual({ "domain postponed": 31, "domain dropped": 1 });
  });

  it("delays no mail to another domain or to a common provider, and is forgotten when its budget is full again", async () => {
    const bench = await openNewsletter();
    for (let i = 0; i < 31; i++) await ask(bench, `${i}@web.de`);
    for (let i = 0; i < 31; i++) await ask(bench, `${i}@lovelace.family`);
    await ask(bench, "charles@babbage.family");
    expect(await met(bench)).toEqual({ "domain postponed": 1 });
    bench.pass(2 * hour);
    await bench.newsletter.cleanUp();
    expect(await bench.db.selectFrom("mailBudget").selectAll().execute()).toEqual([]);
  });

  it("beyond its budget gets no resent mail, and none for a mailbox whose mail would wait", async () => {
    const bench = await openNewsletter();
    const token = await signUp(bench, "ada@lovelace.family");
    await bench.db
      .updateTable("mailBudget")
      .set({ spentUntil: bench.now() + 14 * hour })
      .execute();
    await bench.db.deleteFrom("mailBudget").where("name", "<>", "lovelace.family").execute();
    expect(await ask(bench, "ada@lovelace.family", "AT")).toEqual(accepted);
    bench.pass(15 * minute);
    expect(await bench.newsletter.resend(token, callerOf("DE"))).toEqual(accepted);
    expect(await mailsTo(bench.db, "ada@lovelace.family")).toHaveLength(1);
    expect(await met(bench)).toEqual({ "domain dropped": 2 });
  });
});

describe("a mailbox whose owner wants no mail", () => {
  it("gets no requested mail with any tag on any site, and the sign-up isn't stored", async () => {
    const bench = await openNewsletter();
    await suppress(bench, "Quiet@shop.example");
    for (const email of ["quiet@shop.example", "QUIET+tag@shop.example"]) {
      expect(await ask(bench, email, "AT")).toEqual(accepted);
      expect(await mailsTo(bench.db, email)).toEqual([]);
      expect(await subscriptionOf(bench.db, email, "AT")).toBeUndefined();
    }
    expect(await met(bench)).toEqual({ "suppressed dropped": 2 });
    expect(await ask(bench, "quiet.not@shop.example")).toEqual(accepted);
    expect(await mailsTo(bench.db, "quiet.not@shop.example")).toHaveLength(1);
  });

  it("gets no queued mail and none resent", async () => {
    const bench = await openNewsletter();
    const token = await signUp(bench, "enough@shop.example");
    await suppress(bench, "enough@shop.example");
    bench.pass(day);
    expect(await bench.newsletter.resend(token, callerOf("DE"))).toEqual(accepted);
    expect(await createOutbox(bench.db).lease(bench.now(), bench.now() + minute, 9)).toEqual([]);
  });

  it("stays suppressed after an erasure, by a keyed hash only, until an operator removes it", async () => {
    const bench = await openNewsletter();
    const { db, suppression, now } = bench;
    await signUp(bench, "Erased@shop.example");
    await eraseAddress(db, testKeys, "erased@shop.example", "none", now(), { suppress: true });
    bench.pass(365 * day);
    expect(await ask(bench, "erased@shop.example")).toEqual(accepted);
    expect(await subscriptionOf(db, "erased@shop.example")).toBeUndefined();
    const entries = await db.selectFrom("suppressedMailbox").selectAll().execute();
    expect(entries).toEqual([expect.objectContaining({ hash: expect.stringMatching(/^[\w-]{43}$/), endsAt: null })]);
    const unsuppress = (email: string) => suppression.unsuppress(db, email);
    expect([await unsuppress("Erased@shop.example"), await unsuppress("erased@shop.example")]).toEqual([true, false]);
    expect(await ask(bench, "erased@shop.example")).toEqual(accepted);
    expect(await mailsTo(db, "erased@shop.example")).toHaveLength(1);
  });
});

describe("a mailbox whose owner has refused a sign-up", () => {
  const refuse = async (bench: Bench, token: string) =>
    expect(await bench.newsletter.refuse(token, callerOf("DE"))).toEqual({ status: "ended" });

  it("gets no requested mail for 30 days, in any spelling and on any site, not even one that waits", async () => {
    const bench = await openNewsletter();
    const token = await signUp(bench, "victim@gmail.com");
    await signUp(bench, "vic.tim@gmail.com");
    await refuse(bench, token);
    expect(await createOutbox(bench.db).lease(bench.now() + day, bench.now() + 2 * day, 9)).toEqual([]);
    bench.pass(30 * day - 1);
    const restarted = await openNewsletter(bench.db);
    restarted.pass(30 * day - 1);
    for (const email of ["Victim@gmail.com", "v.i.c.t.i.m+tag@googlemail.com"]) {
      expect(await ask(restarted, email, "AT")).toEqual(accepted);
      expect(await subscriptionOf(bench.db, email, "AT")).toBeUndefined();
    }
    expect(await met(restarted)).toEqual({ "suppressed dropped": 2 });
    restarted.pass(1);
    expect(await ask(restarted, "victim@gmail.com")).toEqual(accepted);
    expect(await mailsTo(bench.db, "victim@gmail.com")).toHaveLength(2);
  });

  it("still gets the welcome of a newsletter that the owner has confirmed", async () => {
    const bench = await openNewsletter();
    const token = await signUp(bench, "reader@shop.example");
    await bench.newsletter.confirm(token, callerOf("DE"));
    bench.pass(hour);
    await refuse(bench, await signUp(bench, "reader@shop.example", "AT"));
    const mails = await createOutbox(bench.db).lease(bench.now(), bench.now() + minute, 9);
    expect(mails.map(({ kind, site }) => [kind, site])).toEqual([["welcome", "DE"]]);
  });

  it("stays suppressed for good if the owner has asked for that, and isn't by a link that only unsubscribes", async () => {
    const bench = await openNewsletter();
    const token = await signUp(bench, "quiet@shop.example");
    await suppress(bench, "quiet@shop.example");
    await refuse(bench, token);
    await signUp(bench, "other@shop.example");
    const { unsubscribeToken } = await lastMail(bench.db, "other@shop.example", "confirm");
    expect(await bench.newsletter.refuse(unsubscribeToken, callerOf("DE"))).toEqual({ status: "invalidToken" });
    bench.pass(31 * day);
    for (const email of ["quiet@shop.example", "other@shop.example"]) await ask(bench, email);
    expect(await mailsTo(bench.db, "quiet@shop.example")).toHaveLength(1);
    expect(await mailsTo(bench.db, "other@shop.example")).toHaveLength(2);
  });
});

describe("an address that its server doesn't know", () => {
  it("gets no mail for a week, while the mailbox without its tag does", async () => {
    const bench = await openNewsletter();
    const { db, suppression, now } = bench;
    await suppression.recordBounce(db, "Ada+made-up@shop.example", now());
    await ask(bench, "ada+made-up@shop.example");
    await ask(bench, "ada@shop.example");
    expect(await mailsTo(db, "ada+made-up@shop.example")).toEqual([]);
    expect(await mailsTo(db, "ada@shop.example")).toHaveLength(1);
    bench.pass(7 * day);
    await ask(bench, "ada+made-up@shop.example");
    expect(await mailsTo(db, "ada+made-up@shop.example")).toHaveLength(1);
  });

  it("stays suppressed for good when its owner wanted no mail", async () => {
    const bench = await openNewsletter();
    await suppress(bench, "quiet@shop.example");
    await bench.suppression.recordBounce(bench.db, "quiet@shop.example", bench.now());
    bench.pass(8 * day);
    await ask(bench, "quiet@shop.example");
    expect(await mailsTo(bench.db, "quiet@shop.example")).toEqual([]);
  });
});

it("concurrent sign-ups are handled as each would be alone", async () => {
  const bench = await openNewsletter();
  const emails = ["new", "suppressed", "new+tag", "pending", "newer"].map((name) => `${name}@shop.example`);
  await suppress(bench, "suppressed@shop.example");
  await signUp(bench, "pending@shop.example");
  bench.pass(1);
  expect(await Promise.all(emails.map((email) => ask(bench, email)))).toEqual(emails.map(() => accepted));
  const mails = await Promise.all(emails.map((email) => mailsTo(bench.db, email)));
  const times = mails.map((sent) => sent.map(({ createdAt }) => createdAt - bench.now()));
  expect(times).toEqual([[0], [], [15 * minute], [-1], [0]]);
  expect(await subscriptionOf(bench.db, "suppressed@shop.example")).toBeUndefined();
  expect(await met(bench)).toEqual({ "suppressed dropped": 1, "mailbox postponed": 1, "mailbox dropped": 1 });
});

describe("the time of a sign-up", () => {
  it("reveals nothing about the address: the database gets the same statements for any", async () => {
    const statements: string[] = [];
    const { db } = await openTestStore(testLogger);
    const watched = db.withPlugin({
      transformQuery({ node }) {
        statements.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const bench = await openNewsletter(watched);
    const statementsOf = async (email: string) => {
      statements.length = 0;
      expect(await ask(bench, email)).toEqual(accepted);
      return [...statements];
    };
    await suppress(bench, "suppressed@shop.example");
    await bench.newsletter.refuse(await signUp(bench, "refused@shop.example"), callerOf("DE"));
    const emails = ["pending", "confirmed", "withdrawn"].map((name) => `${name}@shop.example`);
    for (const email of emails) await signUp(bench, email);
    for (const email of emails.slice(1)) {
      await bench.newsletter.confirm((await lastMail(bench.db, email, "confirm")).subscriberToken, callerOf("DE"));
    }
    const { unsubscribeToken } = await lastMail(bench.db, "withdrawn@shop.example", "welcome");
    await bench.newsletter.unsubscribe(unsubscribeToken, callerOf("DE"));

    const fresh = await statementsOf("new@shop.example");
    expect(fresh.length).toBeGreaterThan(5);
    for (const email of [...emails, "suppressed@shop.example", "refused@shop.example"])
      expect(await statementsOf(email), `${email}, lately mailed`).toEqual(fresh);
    bench.pass(2 * day);
    for (const email of emails) expect(await statementsOf(email), email).toEqual(fresh);
  });
});
