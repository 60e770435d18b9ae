import { describe, expect, it } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
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
import { sites } from "../../../../support/test-app.ts";

const bench = await openNewsletter();
const { db, newsletter, pass, now } = bench;

/** What of a site a sign-up and its confirmation depend on. */
const variants = onePerVariant(
  ({ newsletter: { salutation, names, legals, voucher, consentRegister, minimumAge } }) => [
    ...[salutation, names, legals, voucher, consentRegister, minimumAge],
  ],
);

describe.each(variants)("a sign-up on $site", ({ site, newsletter: settings }) => {
  const email = `new-${site.toLowerCase()}@shop.example`;

  it("has a token that is stored in the clear only in its mail", async () => {
    const subscriberToken = await signUp(bench, email, site);
    expect(subscriberToken).toMatch(/^[\w-]{32}$/);
    expect(JSON.stringify(await db.selectFrom("newsletterToken").selectAll().execute())).not.toContain(subscriberToken);
  });

  it("is confirmed once, with a welcome mail, its voucher and what the register needs", async () => {
    const { subscriberToken } = await lastMail(db, email, "confirm");
    pass(minute);
    const confirm = () => newsletter.confirm(subscriberToken, callerOf(site));
    for (let i = 0; i < 2; i++) expect(await confirm()).toEqual({ status: "subscribed" });
    expect(await subscriptionOf(db, email, site)).toMatchObject({ state: "confirmed", confirmedAt: now() });

    const kinds = (await mailsTo(db, email)).map(({ kind }) => kind);
    expect(kinds).toEqual(["confirm", "welcome"]);
    const { voucher } = await lastMail(db, email, "welcome");
    const { discount, validMonths, singleUse = false } = settings.voucher;
    const end =
      validMonths === undefined
        ? null
        : Date.UTC(2026, 10 + validMonths, 20, 10) + (now() - Date.UTC(2026, 10, 20, 10));
    expect(voucher).toEqual({ code: expect.stringMatching(/^[2-9A-Z]{12}$/), discount, singleUse, validUntil: end });
    expect((await recordsOf(db, email, site)).at(-1)?.exportDueAt === null).toBe(
      settings.consentRegister === undefined,
    );
  });
});

it("a sign-up is answered no sooner than the work for any address is done", async () => {
  const answerAfter = 200;
  const { newsletter } = await openNewsletter(undefined, { answerAfter });
  const began = performance.now();
  await newsletter.subscribe(signUpOf("late@shop.example"), callerOf("DE"));
  expect(Math.ceil(performance.now() - began)).toBeGreaterThanOrEqual(answerAfter);
});

describe("an address", () => {
  it("is the same in both spellings of its domain, and with spaces around it", async () => {
    await newsletter.subscribe(signUpOf(" Jo@Müller.example "), callerOf("DE"));
    expect(await subscriptionOf(db, "Jo@xn--mller-kva.example")).toMatchObject({ state: "pending" });
    pass(day);
    await newsletter.subscribe(signUpOf("Jo@xn--mller-kva.example"), callerOf("DE"));
    expect(await mailsTo(db, "Jo@xn--mller-kva.example")).toHaveLength(2);
    const { count } = await db
      .selectFrom("newsletterSubscription")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("email", "like", "%ller-kva%")
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
  });

  it("is signed up once by 100 sign-ups at the same time", async () => {
    const { db: own, newsletter: busy } = await openNewsletter();
    const results = await Promise.all(
      Array.from({ length: 100 }, () => busy.subscribe(signUpOf("twice@shop.example"), callerOf("DE"))),
    );
    expect(results.every(({ status }) => status === "accepted")).toBe(true);
    expect(await own.selectFrom("newsletterSubscription").select("email").execute()).toHaveLength(1);
    expect(await own.selectFrom("consentRecord").select("event").execute()).toHaveLength(1);
    expect(await mailsTo(own, "twice@shop.example")).toHaveLength(1);
  });
});

describe("signing up again", () => {
  it("replaces the data while it isn't confirmed, and confirms with the link of any mail", async () => {
    const first = await signUp(bench, "again@shop.example");
    pass(15 * minute);
    await newsletter.subscribe(signUpOf("again@shop.example", { firstName: "Eva" }), callerOf("DE"));
    expect(await subscriptionOf(db, "again@shop.example")).toMatchObject({ state: "pending", firstName: "Eva" });
    expect(await newsletter.confirm(first, callerOf("DE"))).toMatchObject({ status: "subscribed" });
    const second = (await lastMail(db, "again@shop.example", "confirm")).subscriberToken;
    expect(await newsletter.confirm(second, callerOf("DE"))).toEqual({ status: "subscribed" });
    expect((await mailsTo(db, "again@shop.example")).filter(({ kind }) => kind === "welcome")).toHaveLength(1);
  });

  it("changes nothing of a confirmed subscription, and sends its owner a mail", async () => {
    await newsletter.confirm(await signUp(bench, "owner@shop.example"), callerOf("DE"));
    const before = await subscriptionOf(db, "owner@shop.example");
    pass(15 * minute);
    await newsletter.subscribe(signUpOf("owner@shop.example", { firstName: "Mallory" }), callerOf("DE"));
    expect(await subscriptionOf(db, "owner@shop.example")).toEqual(before);
    expect((await mailsTo(db, "owner@shop.example")).at(-1)).toMatchObject({
      kind: "alreadySubscribed",
      data: { unsubscribeToken: expect.any(String) },
    });
  });

  it("starts again after the end: earlier links confirm nothing, the voucher is the same", async () => {
    const first = await signUp(bench, "back@shop.example");
    await newsletter.confirm(first, callerOf("DE"));
    const { voucher, unsubscribeToken } = await lastMail(db, "back@shop.example", "welcome");
    await newsletter.unsubscribe(unsubscribeToken, callerOf("DE"));
    pass(15 * minute);
    const second = await signUp(bench, "back@shop.example");
    expect(await subscriptionOf(db, "back@shop.example")).toMatchObject({ state: "pending" });
    expect(await newsletter.confirm(first, callerOf("DE"))).toEqual({ status: "invalidToken" });
    expect(await newsletter.confirm(second, callerOf("DE"))).toMatchObject({ status: "subscribed" });
    expect((await lastMail(db, "back@shop.example", "welcome")).voucher).toEqual(voucher);
    const events = (await recordsOf(db, "back@shop.example")).map(({ event }) => event);
    expect(events).toEqual(["requested", "confirmed", "withdrawn", "requested", "confirmed"]);
  });

  it("brings no voucher when the earlier one has expired", async () => {
    const site = sites.find(({ newsletter: { voucher } }) => voucher.validMonths === 1)?.site ?? "";
    await newsletter.confirm(await signUp(bench, "late@shop.example", site), callerOf(site));
    await newsletter.unsubscribe((await lastMail(db, "late@shop.example", "welcome")).unsubscribeToken, callerOf(site));
    pass(31 * day);
    await newsletter.confirm(await signUp(bench, "late@shop.example", site), callerOf(site));
    expect(await lastMail(db, "late@shop.example", "welcome")).not.toHaveProperty("voucher");
  });
});

describe("a link", () => {
  it("that somebody else has asked for refuses the sign-up for good, and deletes the personal data", async () => {
    const token = await signUp(bench, "stranger@shop.example");
    for (let i = 0; i < 2; i++) expect(await newsletter.refuse(token, callerOf("DE"))).toEqual({ status: "ended" });
    const emptied = { state: "refused", salutation: null, firstName: null, lastName: null, consents: "[]" };
    expect(await subscriptionOf(db, "stranger@shop.example")).toMatchObject(emptied);
    expect(await newsletter.confirm(token, callerOf("DE"))).toEqual({ status: "invalidToken" });
    expect((await recordsOf(db, "stranger@shop.example")).map(({ event }) => event)).toEqual(["requested", "refused"]);
  });

  it("ends a subscription that is confirmed as one that its owner withdraws", async () => {
    const token = await signUp(bench, "late-refusal@shop.example");
    await newsletter.confirm(token, callerOf("DE"));
    expect(await newsletter.refuse(token, callerOf("DE"))).toEqual({ status: "ended" });
    expect(await subscriptionOf(db, "late-refusal@shop.example")).toMatchObject({ state: "withdrawn" });
    expect((await recordsOf(db, "late-refusal@shop.example")).at(-1)?.event).toBe("withdrawn");
  });

  it("that has expired brings a new mail once, however much later it is asked for again", async () => {
    const token = await signUp(bench, "slow@shop.example");
    pass(30 * day);
    for (let i = 0; i < 2; i++) {
      expect(await newsletter.resend(token, callerOf("DE"))).toEqual({ status: "accepted" });
      pass(day);
    }
    expect(await mailsTo(db, "slow@shop.example")).toHaveLength(2);
  });

  it("confirms once when it is followed 50 times at the same time", async () => {
    const token = await signUp(bench, "eager@shop.example");
    const results = await Promise.all(Array.from({ length: 50 }, () => newsletter.confirm(token, callerOf("DE"))));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["subscribed"]));
    expect((await mailsTo(db, "eager@shop.example")).filter(({ kind }) => kind === "welcome")).toHaveLength(1);
  });
});

describe("a change", () => {
  it("is stored and recorded, before and after the confirmation", async () => {
    const token = await signUp(bench, "change@shop.example");
    const change = (fields: object) => newsletter.change(token, fields, callerOf("DE"));
    expect(await change({ firstName: " Eva  Maria " })).toMatchObject({ status: "changed" });
    await newsletter.confirm(token, callerOf("DE"));
    expect(await change({ consents: ["DNE"], salutation: "DIVERS", lastName: "" })).toMatchObject({
      status: "changed",
    });
    expect(await subscriptionOf(db, "change@shop.example")).toMatchObject({
      ...{ state: "confirmed", firstName: "Eva Maria", lastName: null, salutation: "DIVERS", consents: '["DNE"]' },
    });
    expect((await recordsOf(db, "change@shop.example")).filter(({ event }) => event === "changed")).toHaveLength(2);
  });

  it("must follow the rules of the country", async () => {
    const token = await signUp(bench, "rules@shop.example", "TR");
    const result = await newsletter.change(token, { lastName: "", consents: [] }, callerOf("TR"));
    expect(result).toMatchObject({ status: "invalid", faults: [{ field: "lastName" }, { field: "legals" }] });
    expect(await subscriptionOf(db, "rules@shop.example", "TR")).toMatchObject({ lastName: "Beispiel" });
  });

  it("isn't possible when the sign-up is over", async () => {
    const refused = await signUp(bench, "gone@shop.example");
    await newsletter.refuse(refused, callerOf("DE"));
    const expired = await signUp(bench, "forgotten@shop.example");
    pass(30 * day);
    for (const token of [refused, expired])
      expect(await newsletter.change(token, { firstName: "Eva" }, callerOf("DE"))).toEqual({ status: "invalidToken" });
  });
});
