import { beforeEach, describe, expect, it } from "vitest";
import { day } from "../../../../../client/rules/time.ts";
import { cleanUpNewsletter } from "../../../../../server/features/newsletter/embedded/housekeeping.ts";
import {
  type Bench,
  callerOf,
  lastMail,
  mailsTo,
  openNewsletter,
  recordsOf,
  signUp,
  signUpOf,
  subscriptionOf,
} from "../../../../support/newsletter-test.ts";
import { onePerVariant } from "../../../../support/one-per-variant.ts";
import { createTestApp, sites } from "../../../../support/test-app.ts";

const variants = onePerVariant(
  ({ newsletter: { confirmWithinDays, deleteUnconfirmedAfterDays, stopUnopenedAfterYears } }) => [
    ...[confirmWithinDays, deleteUnconfirmedAfterDays, stopUnopenedAfterYears],
  ],
);
const email = "someone@shop.example";

let bench: Bench;
beforeEach(async () => {
  bench = await openNewsletter();
});
const cleanUpAfter = async (time: number) => {
  bench.pass(time);
  await bench.newsletter.cleanUp();
};
const confirm = async (address: string, site = "DE") => {
  const token = await signUp(bench, address, site);
  await bench.newsletter.confirm(token, callerOf(site));
  return token;
};
const eventsOf = async (site?: string) => (await recordsOf(bench.db, email, site)).map(({ event }) => event);

describe.each(variants)("on $site", ({ site, newsletter: settings }) => {
  it("an unconfirmed sign-up expires with its link, and is deleted with all that belongs to it", async () => {
    const token = await signUp(bench, email, site);
    const stateAfter = async (days: number) => {
      const states = [];
      for (const time of [days * day - 1, 1]) {
        await cleanUpAfter(time);
        states.push((await subscriptionOf(bench.db, email, site))?.state);
      }
      return states;
    };
    const { confirmWithinDays, deleteUnconfirmedAfterDays } = settings;
    expect(await stateAfter(confirmWithinDays)).toEqual(["pending", "expired"]);
    expect(await bench.newsletter.confirm(token, callerOf(site))).toEqual({ status: "expired" });
    expect(await stateAfter(deleteUnconfirmedAfterDays - confirmWithinDays)).toEqual(["expired", undefined]);
    for (const table of ["newsletterToken", "consentRecord", "voucher"] as const)
      expect(await bench.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  });

  it("a confirmed one stays, and its newsletter stops only where the country says so, once openings end", async () => {
    const token = await confirm(email, site);
    bench.pass(day);
    expect(await bench.newsletter.recordOpening(token)).toBe(true);
    const lastOpenedAt = bench.now();
    const { stopUnopenedAfterYears: years } = settings;
    await cleanUpAfter(Date.UTC(2026 + (years ?? 20), 10, 21, 10) - bench.now() - 1);
    const going = { state: "confirmed", lastOpenedAt, sendingStoppedAt: null, firstName: "Ada" };
    expect(await subscriptionOf(bench.db, email, site)).toMatchObject(going);
    for (const time of [1, 0]) await cleanUpAfter(time);
    const stopped = { state: "withdrawn", sendingStoppedAt: bench.now(), firstName: null, consents: "[]" };
    expect(await subscriptionOf(bench.db, email, site)).toMatchObject(years ? stopped : going);
    expect(await eventsOf(site)).toEqual(["requested", "confirmed", ...(years ? ["stopped"] : [])]);
    if (!years) return;
    await bench.newsletter.subscribe(signUpOf(email), callerOf(site));
    const again = { state: "pending", sendingStoppedAt: null };
    expect(await subscriptionOf(bench.db, email, site), "after another sign-up").toMatchObject(again);
  });
});

describe.each(sites.filter(({ newsletter }) => newsletter.stopUnopenedAfterYears))("on $site", ({ site }) => {
  it("sending continues where no opening was reported since the confirmation", async () => {
    await confirm("silent@shop.example", site);
    const again = await confirm("again@shop.example", site);
    bench.pass(day);
    await bench.newsletter.recordOpening(again);
    await bench.newsletter.unsubscribe(again, callerOf(site));
    bench.pass(day);
    await confirm("again@shop.example", site);
    await cleanUpAfter(20 * 365 * day);
    for (const name of ["silent", "again"])
      expect(await subscriptionOf(bench.db, `${name}@shop.example`, site), name).toMatchObject({ state: "confirmed" });
  });

  it("stops nobody once a real service gets the reports of openings", async () => {
    const token = await confirm(email, site);
    bench.pass(day);
    await bench.newsletter.recordOpening(token);
    bench.pass(20 * 365 * day);
    const siteUpstreams = new Map([[site, { newsletter: "http://127.0.0.1:9" }]]);
    const { upstreams } = (await createTestApp({ siteUpstreams })).context;
    await cleanUpNewsletter({ ...bench.context, upstreams });
    expect(await subscriptionOf(bench.db, email, site)).toMatchObject({ state: "confirmed" });
    await bench.newsletter.cleanUp();
    expect(await subscriptionOf(bench.db, email, site)).toMatchObject({ state: "withdrawn" });
  });
});

describe("housekeeping", () => {
  it("keeps the proof of an earlier subscription, and deletes the later sign-up", async () => {
    await confirm(email);
    const { unsubscribeToken } = await lastMail(bench.db, email, "welcome");
    await bench.newsletter.unsubscribe(unsubscribeToken, callerOf("DE"));
    bench.pass(day);
    await bench.newsletter.subscribe(signUpOf(email), callerOf("DE"));
    await cleanUpAfter(100 * day);
    const ended = { state: "withdrawn", firstName: null, consents: "[]" };
    expect(await subscriptionOf(bench.db, email)).toMatchObject(ended);
    expect(await eventsOf()).toEqual(["requested", "confirmed", "withdrawn"]);
    expect(await bench.newsletter.unsubscribe(unsubscribeToken, callerOf("DE"))).toEqual({ status: "ended" });
  });

  it("deletes sign-ups that were refused or unsubscribed without a confirmation", async () => {
    await bench.newsletter.refuse(await signUp(bench, "refused@shop.example"), callerOf("DE"));
    await bench.newsletter.unsubscribe(await signUp(bench, "left@shop.example"), callerOf("DE"));
    await cleanUpAfter(31 * day);
    expect(await bench.db.selectFrom("newsletterSubscription").select("email").execute()).toEqual([]);
  });

  it("deletes sent mails and their counters when they no longer count; queued mails stay", async () => {
    await signUp(bench, "sent@shop.example");
    await bench.db.updateTable("mailOutbox").set({ state: "sent", sentAt: bench.now() }).execute();
    await signUp(bench, "queued@shop.example");
    await cleanUpAfter(7 * day);
    expect(await mailsTo(bench.db, "sent@shop.example")).toEqual([]);
    expect(await mailsTo(bench.db, "queued@shop.example")).toHaveLength(1);
    for (const table of ["rateLimit", "mailbox"] as const)
      expect(await bench.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  });

  it("deletes many rows on several replicas at once, and lets others write meanwhile", async () => {
    await signUp(bench, "model@shop.example");
    const model = await bench.db.selectFrom("newsletterSubscription").selectAll().executeTakeFirstOrThrow();
    const refused = { ...model, state: "refused" as const, requestedAt: 0, changedAt: 0 };
    const rows = Array.from({ length: 1_200 }, (_, i) => ({ ...refused, id: `${i}`, email: `${i}@shop.example` }));
    const budgets = Array.from({ length: 6_000 }, (_, i) => ({ key: `flood ${i}`, points: 1, expiresAt: 0 }));
    await bench.db.insertInto("newsletterSubscription").values(rows).execute();
    await bench.db.insertInto("rateLimit").values(budgets).execute();
    const replicas = Promise.all([bench.newsletter.cleanUp(), bench.newsletter.cleanUp()]);
    await Promise.race([
      replicas.then(() => expect.unreachable("nobody else could write")),
      signUp(bench, "other@shop.example"),
    ]);
    await replicas;
    const over = bench.db.selectFrom("newsletterSubscription").select("id").where("state", "=", "refused");
    expect(await over.execute()).toEqual([]);
    expect(await bench.db.selectFrom("rateLimit").select("key").where("expiresAt", "=", 0).execute()).toEqual([]);
  });
});
