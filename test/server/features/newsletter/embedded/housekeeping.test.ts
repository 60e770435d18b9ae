import { describe, expect, it } from "vitest";
import { day } from "../../../../../client/rules/time.ts";
import { cleanUpNewsletter } from "../../../../../server/features/newsletter/embedded/housekeeping.ts";
import { createNewsletterContext } from "../../../../../server/features/newsletter/embedded/newsletter-context.ts";
import {
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

describe.each(variants)("on $site", ({ site, newsletter: settings }) => {
  const email = "someone@shop.example";

  it("an unconfirmed sign-up expires with its link, and is deleted with all that belongs to it", async () => {
    const house = await openNewsletter();
    const token = await signUp(house, email, site);
    const stateAfter = async (days: number) => {
      house.pass(days * day - 1);
      await house.newsletter.cleanUp();
      const before = await subscriptionOf(house.db, email, site);
      house.pass(1);
      await house.newsletter.cleanUp();
      return [before?.state, (await subscriptionOf(house.db, email, site))?.state];
    };
    expect(await stateAfter(settings.confirmWithinDays)).toEqual(["pending", "expired"]);
    expect(await house.newsletter.confirm(token, callerOf(site))).toEqual({ status: "expired" });
    expect(await stateAfter(settings.deleteUnconfirmedAfterDays - settings.confirmWithinDays)).toEqual([
      "expired",
      undefined,
    ]);
    for (const table of ["newsletterToken", "consentRecord", "voucher"] as const) {
      expect(await house.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  });

  it("a confirmed one stays, and its newsletter stops only where the country says so, once openings end", async () => {
    const house = await openNewsletter();
    const token = await signUp(house, email, site);
    await house.newsletter.confirm(token, callerOf(site));
    house.pass(day);
    expect(await house.newsletter.recordOpening(token)).toBe(true);
    const { lastOpenedAt } = (await subscriptionOf(house.db, email, site)) ?? {};
    expect(lastOpenedAt).toBe(house.now());
    const { stopUnopenedAfterYears: years } = settings;
    house.pass(Date.UTC(2026 + (years ?? 20), 10, 21, 10) - house.now() - 1);
    await house.newsletter.cleanUp();
    expect(await subscriptionOf(house.db, email, site)).toMatchObject({ state: "confirmed", lastOpenedAt });
    house.pass(1);
    await house.newsletter.cleanUp();
    await house.newsletter.cleanUp();
    const stops = years !== undefined;
    expect(await subscriptionOf(house.db, email, site)).toMatchObject(
      stops
        ? { state: "withdrawn", sendingStoppedAt: house.now(), firstName: null, consents: "[]" }
        : { state: "confirmed", sendingStoppedAt: null, firstName: "Ada" },
    );
    const events = (await recordsOf(house.db, email, site)).map(({ event }) => event);
    expect(events).toEqual(["requested", "confirmed", ...(stops ? ["stopped"] : [])]);
  });
});

describe.each(sites.filter(({ newsletter }) => newsletter.stopUnopenedAfterYears))("on $site", ({ site }) => {
  it("sending continues where no opening was reported since the confirmation", async () => {
    const house = await openNewsletter();
    const { newsletter, db } = house;
    const confirm = async (email: string) => {
      const token = await signUp(house, email, site);
      await newsletter.confirm(token, callerOf(site));
      return token;
    };
    await confirm("silent@shop.example");
    await confirm("earlier@shop.example");
    // As releases before have left it.
    const noted = db.updateTable("newsletterSubscription").set(({ ref }) => ({ lastOpenedAt: ref("confirmedAt") }));
    await noted.where("email", "=", "earlier@shop.example").execute();
    const again = await confirm("again@shop.example");
    house.pass(day);
    await newsletter.recordOpening(again);
    await newsletter.unsubscribe(again, callerOf(site));
    house.pass(day);
    await confirm("again@shop.example");
    house.pass(20 * 365 * day);
    await house.newsletter.cleanUp();
    for (const name of ["silent", "earlier", "again"])
      expect(await subscriptionOf(db, `${name}@shop.example`, site), name).toMatchObject({ state: "confirmed" });
  });

  it("stops nobody once a real service gets the reports of openings", async () => {
    const house = await openNewsletter();
    const email = "moved@shop.example";
    const token = await signUp(house, email, site);
    await house.newsletter.confirm(token, callerOf(site));
    house.pass(day);
    await house.newsletter.recordOpening(token);
    house.pass(20 * 365 * day);
    const { context } = await createTestApp({ siteUpstreams: new Map([[site, { newsletter: "http://127.0.0.1:9" }]]) });
    await cleanUpNewsletter({ ...createNewsletterContext(context, house.db), clock: house.now });
    expect(await subscriptionOf(house.db, email, site)).toMatchObject({ state: "confirmed" });
    await house.newsletter.cleanUp();
    expect(await subscriptionOf(house.db, email, site)).toMatchObject({ state: "withdrawn" });
  });
});

describe("housekeeping", () => {
  it("keeps the proof of an earlier subscription, and deletes the later sign-up", async () => {
    const house = await openNewsletter();
    const email = "before@shop.example";
    await house.newsletter.confirm(await signUp(house, email), callerOf("DE"));
    const { unsubscribeToken } = await lastMail(house.db, email, "welcome");
    await house.newsletter.unsubscribe(unsubscribeToken, callerOf("DE"));
    house.pass(day);
    await house.newsletter.subscribe(signUpOf(email), callerOf("DE"));
    house.pass(100 * day);
    await house.newsletter.cleanUp();
    const ended = { state: "withdrawn", firstName: null, consents: "[]" };
    expect(await subscriptionOf(house.db, email)).toMatchObject(ended);
    const events = (await recordsOf(house.db, email)).map(({ event }) => event);
    expect(events).toEqual(["requested", "confirmed", "withdrawn"]);
    expect(await house.newsletter.unsubscribe(unsubscribeToken, callerOf("DE"))).toEqual({ status: "ended" });
  });

  it("deletes sign-ups that were refused or unsubscribed without a confirmation", async () => {
    const house = await openNewsletter();
    await house.newsletter.refuse(await signUp(house, "refused@shop.example"), callerOf("DE"));
    await house.newsletter.unsubscribe(await signUp(house, "left@shop.example"), callerOf("DE"));
    house.pass(31 * day);
    await house.newsletter.cleanUp();
    expect(await house.db.selectFrom("newsletterSubscription").select("email").execute()).toEqual([]);
  });

  it("deletes sent mails and their counters when they no longer count; queued mails stay", async () => {
    const house = await openNewsletter();
    await signUp(house, "sent@shop.example");
    await house.db.updateTable("mailOutbox").set({ state: "sent", sentAt: house.now() }).execute();
    await signUp(house, "queued@shop.example");
    house.pass(7 * day);
    await house.newsletter.cleanUp();
    expect(await mailsTo(house.db, "sent@shop.example")).toEqual([]);
    expect(await mailsTo(house.db, "queued@shop.example")).toHaveLength(1);
    for (const table of ["rateLimit", "mailbox"] as const) {
      expect(await house.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  });

  it("deletes many rows on several replicas at once, and lets others write meanwhile", async () => {
    const house = await openNewsletter();
    await signUp(house, "model@shop.example");
    const model = await house.db.selectFrom("newsletterSubscription").selectAll().executeTakeFirstOrThrow();
    const refused = { ...model, state: "refused" as const, requestedAt: 0, changedAt: 0 };
    const rows = Array.from({ length: 1_200 }, (_, i) => ({ ...refused, id: `${i}`, email: `${i}@shop.example` }));
    const budgets = Array.from({ length: 6_000 }, (_, i) => ({ key: `flood ${i}`, points: 1, expiresAt: 0 }));
    await house.db.insertInto("newsletterSubscription").values(rows).execute();
    await house.db.insertInto("rateLimit").values(budgets).execute();
    const replicas = Promise.all([house.newsletter.cleanUp(), house.newsletter.cleanUp()]);
    await Promise.race([
      replicas.then(() => expect.unreachable("nobody else could write")),
      signUp(house, "other@shop.example"),
    ]);
    await replicas;
    const over = house.db.selectFrom("newsletterSubscription").select("id").where("state", "=", "refused");
    expect(await over.execute()).toEqual([]);
    expect(await house.db.selectFrom("rateLimit").select("key").where("expiresAt", "=", 0).execute()).toEqual([]);
  });
});
