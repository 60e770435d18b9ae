import { describe, expect, it } from "vitest";
import { day } from "../../../../client/rules/time.ts";
import { keepHouse } from "../../../../server/shop/newsletter/housekeeping.ts";
import { noEvents } from "../../../../server/shop/webhook/newsletter-events.ts";
import {
  callerOf,
  lastMail,
  mailsTo,
  openNewsletter,
  recordsOf,
  signUp,
  signUpOf,
  subscriptionOf,
} from "../../../support/newsletter-test.ts";
import { onePerVariant } from "../../../support/one-per-variant.ts";
import { countries, sites } from "../../../support/test-app.ts";

async function openHouse() {
  const bench = await openNewsletter();
  const context = { db: bench.db, countries, events: noEvents, networkKey: Buffer.alloc(32), clock: bench.now };
  return { ...bench, keepHouse: () => keepHouse(context) };
}

const variants = onePerVariant(
  ({ newsletter: { confirmWithinDays, deleteUnconfirmedAfterDays, stopUnopenedAfterYears } }) => [
    ...[confirmWithinDays, deleteUnconfirmedAfterDays, stopUnopenedAfterYears],
  ],
);

describe.each(variants)("on $site", ({ site, newsletter: settings }) => {
  const email = "someone@shop.example";

  it("an unconfirmed sign-up expires with its link, and is deleted with all that belongs to it", async () => {
    const house = await openHouse();
    const token = await signUp(house, email, site);
    const stateAfter = async (days: number) => {
      house.pass(days * day - 1);
      await house.keepHouse();
      const before = await subscriptionOf(house.db, email, site);
      house.pass(1);
      await house.keepHouse();
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
    const house = await openHouse();
    const token = await signUp(house, email, site);
    await house.newsletter.confirm(token, callerOf(site));
    house.pass(day);
    expect(await house.newsletter.noteOpened(token)).toEqual({ status: "noted" });
    const { lastOpenedAt } = (await subscriptionOf(house.db, email, site)) ?? {};
    expect(lastOpenedAt).toBe(house.now());
    const { stopUnopenedAfterYears: years } = settings;
    house.pass(Date.UTC(2026 + (years ?? 20), 10, 21, 10) - house.now() - 1);
    await house.keepHouse();
    expect(await subscriptionOf(house.db, email, site)).toMatchObject({ state: "confirmed", lastOpenedAt });
    house.pass(1);
    await house.keepHouse();
    await house.keepHouse();
    const stops = years !== undefined;
    expect(await subscriptionOf(house.db, email, site)).toMatchObject(
      stops ? { state: "withdrawn", sendingStoppedAt: house.now() } : { state: "confirmed", sendingStoppedAt: null },
    );
    const events = (await recordsOf(house.db, email, site)).map(({ event }) => event);
    expect(events).toEqual(["requested", "confirmed", ...(stops ? ["stopped"] : [])]);
  });
});

describe.each(sites.filter(({ newsletter }) => newsletter.stopUnopenedAfterYears))("on $site", ({ site }) => {
  it("nobody is stopped of whom no opening was reported since the confirmation", async () => {
    const house = await openHouse();
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
    await newsletter.noteOpened(again);
    await newsletter.unsubscribe(again, callerOf(site));
    house.pass(day);
    await confirm("again@shop.example");
    house.pass(20 * 365 * day);
    await house.keepHouse();
    for (const name of ["silent", "earlier", "again"])
      expect(await subscriptionOf(db, `${name}@shop.example`, site), name).toMatchObject({ state: "confirmed" });
  });
});

describe("housekeeping", () => {
  it("keeps the proof of who had confirmed before, and forgets the sign-up after that", async () => {
    const house = await openHouse();
    const email = "before@shop.example";
    await house.newsletter.confirm(await signUp(house, email), callerOf("DE"));
    const { unsubscribeToken } = await lastMail(house.db, email, "welcome");
    await house.newsletter.unsubscribe(unsubscribeToken, callerOf("DE"));
    house.pass(day);
    await house.newsletter.subscribe(signUpOf(email), callerOf("DE"));
    house.pass(100 * day);
    await house.keepHouse();
    expect(await subscriptionOf(house.db, email)).toMatchObject({
      state: "withdrawn",
      firstName: null,
      consents: "[]",
    });
    expect((await recordsOf(house.db, email)).map(({ event }) => event)).toEqual([
      "requested",
      "confirmed",
      "withdrawn",
    ]);
    expect(await house.newsletter.unsubscribe(unsubscribeToken, callerOf("DE"))).toEqual({ status: "ended" });
  });

  it("forgets who refused or left without ever having confirmed", async () => {
    const house = await openHouse();
    await house.newsletter.refuse(await signUp(house, "refused@shop.example"), callerOf("DE"));
    await house.newsletter.unsubscribe(await signUp(house, "left@shop.example"), callerOf("DE"));
    house.pass(31 * day);
    await house.keepHouse();
    expect(await house.db.selectFrom("newsletterSubscription").select("email").execute()).toEqual([]);
  });

  it("removes budgets, sent mails and what they were counted by, when they count no more; queued mails stay", async () => {
    const house = await openHouse();
    await signUp(house, "sent@shop.example");
    await house.db.updateTable("mailOutbox").set({ state: "sent", sentAt: house.now() }).execute();
    await signUp(house, "queued@shop.example");
    house.pass(7 * day);
    await house.keepHouse();
    expect(await mailsTo(house.db, "sent@shop.example")).toEqual([]);
    expect(await mailsTo(house.db, "queued@shop.example")).toHaveLength(1);
    for (const table of ["rateLimit", "mailbox"] as const) {
      expect(await house.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  });

  it("may be done by several at once", async () => {
    const house = await openHouse();
    for (let i = 0; i < 30; i++) await signUp(house, `many-${i}@shop.example`);
    house.pass(30 * day);
    await Promise.all([house.keepHouse(), house.keepHouse(), house.keepHouse()]);
    expect(await house.db.selectFrom("newsletterSubscription").select("email").execute()).toEqual([]);
  });

  it("gets through many, and lets others change the store meanwhile", async () => {
    const house = await openHouse();
    const rows = Array.from({ length: 1_200 }, (_, i) => ({
      ...{ id: `${i}`, site: "DE", email: `${i}@shop.example`, salutation: null, firstName: null, lastName: null },
      ...{
        consents: "[]",
        categories: null,
        origin: "NEWSLETTER",
        originAddition: null,
        state: "refused" as const,
        createdAt: 0,
      },
      ...{ requestedAt: 0, changedAt: 0, confirmedAt: null, lastOpenedAt: null, sendingStoppedAt: null },
    }));
    const budgets = Array.from({ length: 6_000 }, (_, i) => ({ key: `flood ${i}`, points: 1, expiresAt: 0 }));
    await house.db.insertInto("newsletterSubscription").values(rows).execute();
    await house.db.insertInto("rateLimit").values(budgets).execute();
    let kept = false;
    const keeping = house.keepHouse().then(() => {
      kept = true;
    });
    let meanwhile = 0;
    while (!kept) {
      await signUp(house, `meanwhile-${meanwhile}@shop.example`);
      if (!kept) meanwhile++;
    }
    await keeping;
    expect(meanwhile).toBeGreaterThan(0);
    const over = house.db.selectFrom("newsletterSubscription").select("id").where("state", "=", "refused");
    expect(await over.execute()).toEqual([]);
    expect(await house.db.selectFrom("rateLimit").select("key").where("expiresAt", "=", 0).execute()).toEqual([]);
  });
});
