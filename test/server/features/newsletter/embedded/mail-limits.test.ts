import { beforeEach, describe, expect, it } from "vitest";
import { day, hour, minute } from "../../../../../client/rules/time.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/embedded/erase-address.ts";
import { createOutbox } from "../../../../../server/features/newsletter/mail/outbox.ts";
import { inTransaction } from "../../../../../server/store/open-store.ts";
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

let bench: Bench;
beforeEach(async () => {
  bench = await openNewsletter();
});

const ask = (email: string, site = "DE", address?: string) =>
  bench.newsletter.subscribe(signUpOf(email), callerOf(site, address));
const mailCount = async (email: string) => (await mailsTo(bench.db, email)).length;
const suppress = (email: string) =>
  inTransaction(bench.db, (transaction) => bench.suppression.suppress(transaction, email, bench.now()));
const refuse = async (token: string) =>
  expect(await bench.newsletter.refuse(token, callerOf("DE"))).toEqual({ status: "ended" });
const lease = () => createOutbox(bench.db).lease(bench.now(), bench.now() + minute, 9);

/** Counts how often each limit was exceeded, by outcome. */
async function met() {
  const { values } = await bench.metrics.mailLimits.get();
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.limit} ${labels.outcome}`, value]));
}

/** Spends a budget as far ahead as given, and leaves the others full. */
async function spend(name: string, ahead: number) {
  await bench.db.deleteFrom("mailBudget").execute();
  await bench.db
    .insertInto("mailBudget")
    .values({ name, spentUntil: bench.now() + ahead })
    .execute();
}

/** Returns the delays of emails. */
async function delays() {
  const mails = await bench.db.selectFrom("mailOutbox").select("nextAttemptAt").orderBy("nextAttemptAt").execute();
  return mails.map(({ nextAttemptAt }) => nextAttemptAt - bench.now());
}

it("a mailbox gets one mail in 15 minutes and three in a day, on any site and with any tag; the others wait", async () => {
  for (let i = 0; i < 20; i++) expect(await ask(`Victim+${i}@shop.example`)).toEqual(accepted);
  expect(await ask("victim@shop.example", "AT")).toEqual(accepted);
  expect(await delays()).toEqual([0, 15 * minute, 30 * minute, day]);
  expect(await met()).toEqual({ "mailbox postponed": 3, "mailbox dropped": 17 });
  expect(await bench.db.selectFrom("consentRecord").select("event").execute(), "of those with a mail").toHaveLength(4);
});

it("a /64 may make 20 calls a minute and 100 an hour: sign-ups and requests for another mail", async () => {
  const address = "2001:db8:1:2::1";
  const signUpAgain = () => ask("ada@shop.example", "DE", address);
  // With an unknown token, it is the cheapest call that counts.
  const resend = () => bench.newsletter.resend("unknown", callerOf("DE", address));
  const resendTimes = async (times: number) => {
    for (let i = 0; i < times; i++) expect(await resend()).toEqual({ status: "invalidToken" });
  };
  const refused = (retryAfter: number) => Array(2).fill({ status: "rateLimited", retryAfter });
  await resendTimes(19);
  expect(await signUpAgain()).toEqual(accepted);
  expect([await signUpAgain(), await resend()]).toEqual(refused(60));
  // The first refused call counts, too.
  for (const times of [20, 20, 20, 19]) {
    bench.pass(minute);
    await resendTimes(times);
  }
  expect([await signUpAgain(), await resend()]).toEqual(refused(56 * 60));
  expect(await ask("neighbour@shop.example", "DE", "2001:db8:1:3::1")).toEqual(accepted);
  expect(await met()).toEqual({ "network refused": 4 });
});

describe("a site's budget of mails", () => {
  it("delays mails once it is used up, and those of no other site", async () => {
    await spend("DE", 2 * hour);
    for (const site of ["DE", "AT"]) expect(await ask("late@shop.example", site)).toEqual(accepted);
    expect(await met()).toEqual({ "site postponed": 1, "mailbox postponed": 1 });
    expect(await subscriptionOf(bench.db, "late@shop.example")).toMatchObject({ state: "pending" });
  });

  it("refuses sign-ups once mails would be half a day late, for known addresses as well", async () => {
    await signUp(bench, "known@shop.example");
    await spend("DE", 13 * hour + minute);
    for (const email of ["known@shop.example", "new@shop.example"])
      expect(await ask(email)).toEqual({ status: "rateLimited", retryAfter: 60 });
    expect(await subscriptionOf(bench.db, "new@shop.example")).toBeUndefined();
    expect(await ask("prompt@shop.example", "AT")).toEqual(accepted);
    expect(await met()).toEqual({ "site refused": 2 });
    bench.pass(minute);
    expect(await ask("new@shop.example")).toEqual(accepted);
  });

  it("counts resent mails as well", async () => {
    const token = await signUp(bench, "slow@shop.example");
    bench.pass(day);
    await spend("DE", 14 * hour);
    const resend = () => bench.newsletter.resend(token, callerOf("DE"));
    expect(await resend()).toEqual({ status: "rateLimited", retryAfter: 3600 });
    bench.pass(hour);
    expect(await resend()).toEqual(accepted);
    expect((await delays()).at(-1)).toBeGreaterThan(11 * hour);
  });
});

describe("a domain that may be one person's", () => {
  it("gets 30 mails at once and 30 an hour; one that would wait over 12 hours isn't sent, and no answer tells", async () => {
    const share = 2 * minute;
    await ask("first@lovelace.family");
    const { spentUntil } = await bench.db
      .selectFrom("mailBudget")
      .select("spentUntil")
      .where("name", "=", "lovelace.family")
      .executeTakeFirstOrThrow();
    expect(spentUntil - bench.now()).toBe(share);
    await spend("lovelace.family", 29 * share);
    for (let i = 0; i < 3; i++) expect(await ask(`${i}@${i}.lovelace.family`)).toEqual(accepted);
    expect(await delays()).toEqual([0, 0, share, 2 * share]);
    await spend("lovelace.family", 13 * hour);
    for (const name of ["last", "none"]) expect(await ask(`${name}@lovelace.family`)).toEqual(accepted);
    expect((await delays()).slice(4)).toEqual([12 * hour + share]);
    expect(await subscriptionOf(bench.db, "none@lovelace.family")).toBeUndefined();
    expect(await met()).toEqual({ "domain postponed": 3, "domain dropped": 1 });
  });

  it("delays no mail to another domain or to a common provider, and is forgotten when its budget is full again", async () => {
    await spend("lovelace.family", hour);
    for (const domain of ["web.de", "lovelace.family", "babbage.family"]) await ask(`ada@${domain}`);
    expect(await met()).toEqual({ "domain postponed": 1 });
    const names = (await bench.db.selectFrom("mailBudget").select("name").execute()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["DE", "all", "babbage.family", "lovelace.family"]);
    bench.pass(2 * hour);
    await bench.newsletter.cleanUp();
    expect(await bench.db.selectFrom("mailBudget").selectAll().execute()).toEqual([]);
  });

  it("beyond its budget gets no resent mail, and none for a mailbox whose mail would wait", async () => {
    const token = await signUp(bench, "ada@lovelace.family");
    await spend("lovelace.family", 14 * hour);
    expect(await ask("ada@lovelace.family", "AT")).toEqual(accepted);
    bench.pass(15 * minute);
    expect(await bench.newsletter.resend(token, callerOf("DE"))).toEqual(accepted);
    expect(await mailCount("ada@lovelace.family")).toBe(1);
    expect(await met()).toEqual({ "domain dropped": 2 });
  });
});

describe("a mailbox whose owner wants no mail", () => {
  it("gets no requested mail with any tag on any site, and the sign-up isn't stored", async () => {
    await suppress("Quiet@shop.example");
    for (const email of ["quiet@shop.example", "QUIET+tag@shop.example"]) {
      expect(await ask(email, "AT")).toEqual(accepted);
      expect(await mailCount(email)).toBe(0);
      expect(await subscriptionOf(bench.db, email, "AT")).toBeUndefined();
    }
    expect(await met()).toEqual({ "suppressed dropped": 2 });
    await ask("quiet.not@shop.example");
    expect(await mailCount("quiet.not@shop.example")).toBe(1);
  });

  it("gets no queued mail and none resent", async () => {
    const token = await signUp(bench, "enough@shop.example");
    await suppress("enough@shop.example");
    bench.pass(day);
    expect(await bench.newsletter.resend(token, callerOf("DE"))).toEqual(accepted);
    expect(await lease()).toEqual([]);
  });

  it("stays suppressed after an erasure, by a keyed hash only, until an operator removes it", async () => {
    const { db, suppression, now } = bench;
    await eraseAddress(db, testKeys, "erased@shop.example", "none", now(), { suppress: true });
    bench.pass(365 * day);
    await ask("Erased@shop.example");
    expect(await subscriptionOf(db, "Erased@shop.example")).toBeUndefined();
    const entries = await db.selectFrom("suppressedMailbox").selectAll().execute();
    expect(entries).toEqual([expect.objectContaining({ hash: expect.stringMatching(/^[\w-]{43}$/), endsAt: null })]);
    const unsuppress = (email: string) => suppression.unsuppress(db, email);
    expect([await unsuppress("Erased@shop.example"), await unsuppress("erased@shop.example")]).toEqual([true, false]);
    await ask("erased@shop.example");
    expect(await mailCount("erased@shop.example")).toBe(1);
  });

  it("stays suppressed for good when the owner refuses a sign-up later, or a server doesn't know the address", async () => {
    const token = await signUp(bench, "quiet@shop.example");
    await suppress("quiet@shop.example");
    await refuse(token);
    await bench.suppression.recordBounce(bench.db, "quiet@shop.example", bench.now());
    bench.pass(31 * day);
    await ask("quiet@shop.example");
    expect(await mailCount("quiet@shop.example")).toBe(1);
  });
});

describe("a mailbox whose owner has refused a sign-up", () => {
  it("gets no requested mail for 30 days, in any spelling and on any site, not even one that waits", async () => {
    const token = await signUp(bench, "victim@gmail.com");
    await signUp(bench, "vic.tim@gmail.com");
    await refuse(token);
    bench.pass(30 * day - 1);
    expect(await lease()).toEqual([]);
    for (const email of ["Victim@gmail.com", "v.i.c.t.i.m+tag@googlemail.com"]) {
      expect(await ask(email, "AT")).toEqual(accepted);
      expect(await subscriptionOf(bench.db, email, "AT")).toBeUndefined();
    }
    bench.pass(1);
    await ask("victim@gmail.com");
    expect(await mailCount("victim@gmail.com")).toBe(2);
  });

  it("still gets the welcome of a newsletter that the owner has confirmed", async () => {
    const token = await signUp(bench, "reader@shop.example");
    await bench.newsletter.confirm(token, callerOf("DE"));
    bench.pass(hour);
    await refuse(await signUp(bench, "reader@shop.example", "AT"));
    expect((await lease()).map(({ kind, site }) => [kind, site])).toEqual([["welcome", "DE"]]);
  });

  it("isn't suppressed by a link that only unsubscribes", async () => {
    await signUp(bench, "other@shop.example");
    const { unsubscribeToken } = await lastMail(bench.db, "other@shop.example", "confirm");
    expect(await bench.newsletter.refuse(unsubscribeToken, callerOf("DE"))).toEqual({ status: "invalidToken" });
    bench.pass(day);
    await ask("other@shop.example");
    expect(await mailCount("other@shop.example")).toBe(2);
  });
});

it("an address that its server doesn't know gets no mail for a week, while the mailbox without its tag does", async () => {
  await bench.suppression.recordBounce(bench.db, "Ada+made-up@shop.example", bench.now());
  for (const email of ["ada+made-up@shop.example", "ada@shop.example"]) await ask(email);
  expect([await mailCount("ada+made-up@shop.example"), await mailCount("ada@shop.example")]).toEqual([0, 1]);
  bench.pass(7 * day);
  await ask("ada+made-up@shop.example");
  expect(await mailCount("ada+made-up@shop.example")).toBe(1);
});

it("concurrent sign-ups are handled as each would be alone", async () => {
  const emails = ["new", "suppressed", "new+tag", "pending", "newer"].map((name) => `${name}@shop.example`);
  await suppress("suppressed@shop.example");
  await signUp(bench, "pending@shop.example");
  bench.pass(1);
  expect(await Promise.all(emails.map((email) => ask(email)))).toEqual(emails.map(() => accepted));
  const mails = await Promise.all(emails.map((email) => mailsTo(bench.db, email)));
  const times = mails.map((sent) => sent.map(({ createdAt }) => createdAt - bench.now()));
  expect(times).toEqual([[0], [], [15 * minute], [-1], [0]]);
  expect(await subscriptionOf(bench.db, "suppressed@shop.example")).toBeUndefined();
  expect(await met()).toEqual({ "suppressed dropped": 1, "mailbox postponed": 1, "mailbox dropped": 1 });
});

it.each([
  ["a sign-up", ask],
  [
    "a request for the subscriber's page",
    (email: string) => bench.newsletter.preferences.request(email, callerOf("DE")),
  ],
])(
  "the time of %s reveals nothing about the address: the database gets the same statements for any",
  async (_what, call) => {
    const statements: string[] = [];
    const { db } = await openTestStore(testLogger);
    bench = await openNewsletter(
      db.withPlugin({
        transformQuery({ node }) {
          statements.push(node.kind);
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    );
    const statementsOf = async (email: string) => {
      statements.length = 0;
      expect(await call(email)).toEqual(accepted);
      return [...statements];
    };
    await suppress("suppressed@shop.example");
    await refuse(await signUp(bench, "refused@shop.example"));
    await signUp(bench, "pending@shop.example");
    const confirmed = await signUp(bench, "confirmed@shop.example");
    await bench.newsletter.confirm(confirmed, callerOf("DE"));
    await bench.newsletter.unsubscribe(await signUp(bench, "withdrawn@shop.example"), callerOf("DE"));

    const fresh = await statementsOf("new@shop.example");
    expect(fresh.length).toBeGreaterThan(5);
    const lately = ["pending", "confirmed", "withdrawn"].map((name) => `${name}@shop.example`);
    for (const email of [...lately, "suppressed@shop.example", "refused@shop.example"])
      expect(await statementsOf(email), `${email}, lately mailed`).toEqual(fresh);
    bench.pass(2 * day);
    for (const email of lately) expect(await statementsOf(email), email).toEqual(fresh);
  },
);
