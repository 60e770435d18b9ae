import { load } from "cheerio";
import { describe, expect, it } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
import {
  exportConsent,
  renderConsentPage,
} from "../../../../../server/features/newsletter/embedded/export-subscribers.tsx";
import { addMonths } from "../../../../../server/platform/time.ts";
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
const de = callerOf("DE");
const eventsOf = async (email: string) => (await recordsOf(db, email)).map(({ event }) => event);
/** The kinds of an address's mails, sorted, as mails of one moment have no order. */
const kindsTo = async (email: string) => (await mailsTo(db, email)).map(({ kind }) => kind).toSorted();

/** The properties of a site that affect a sign-up, its confirmation and their proof. */
const variants = onePerVariant(
  ({ newsletter: { salutation, names, legals, voucher, consentRegister, minimumAge } }) => [
    ...[salutation, names, legals, voucher, consentRegister, minimumAge],
  ],
);

describe.each(variants)("a sign-up on $site", ({ site, locale, newsletter: settings }) => {
  it("is confirmed once, with a welcome mail, its voucher, and the whole proof of consent", async () => {
    const email = `new-${site.toLowerCase()}@shop.example`;
    const caller = callerOf(site);
    const signedUpAt = new Date(now()).toISOString();
    expect(await newsletter.subscribe(signUpOf(email), caller)).toEqual({ status: "accepted" });
    const { subscriberToken } = await lastMail(db, email, "confirm");
    pass(minute);
    const confirmedAt = new Date(now()).toISOString();
    for (let i = 0; i < 2; i++)
      expect(await newsletter.confirm(subscriberToken, caller)).toMatchObject({ status: "subscribed" });
    expect(await kindsTo(email)).toEqual(["confirm", "welcome"]);
    const { voucher } = await lastMail(db, email, "welcome");
    const { discount, validMonths, singleUse = false } = settings.voucher ?? {};
    const validUntil = validMonths === undefined ? null : addMonths(now(), validMonths);
    expect(voucher).toEqual({ code: expect.stringMatching(/^[2-9A-Z]{12}$/), discount, singleUse, validUntil });

    const [mail] = await mailsTo(db, email);
    const exported = await exportConsent(db, ` ${email.replace("shop", "SHOP")}`, site);
    const exportDueAt = settings.consentRegister ? expect.any(String) : null;
    expect(exported).toEqual([
      {
        site,
        email,
        state: "confirmed",
        signedUpAt,
        confirmedAt,
        sendingStoppedAt: null,
        vouchers: [expect.objectContaining({ code: voucher?.code, discount, issuedAt: confirmedAt })],
        records: [
          {
            event: "requested",
            at: signedUpAt,
            language: locale,
            mailId: mail?.id,
            declaration: { site, ...signUpOf(email), categories: [] },
            text: expect.stringMatching(/\S.{200}/s),
            textVersion: expect.stringMatching(/^[0-9a-f]{12}$/),
            networkHash: expect.stringMatching(/^[\w-]{43}$/),
            exportDueAt: null,
            exportedAt: null,
          },
          expect.objectContaining({ event: "confirmed", at: confirmedAt, mailId: mail?.id, exportDueAt }),
        ],
      },
    ]);
    const text = exported[0]?.records[0]?.text;
    expect(text).not.toMatch(/\{\{|\]\(|undefined/);
    expect(text).toContain(String(settings.minimumAge));
    expect(JSON.stringify(exported)).not.toContain(caller.address);
    const page = load(renderConsentPage(exported));
    for (const proof of [email, signedUpAt, confirmedAt, `${mail?.id}`]) expect(page.text()).toContain(proof);
    expect(page("blockquote").text()).toBe(text);
  });
});

it("a token is stored in the clear only in its mail", async () => {
  const token = await signUp(bench, "token@shop.example");
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(JSON.stringify(await db.selectFrom("newsletterToken").selectAll().execute())).not.toContain(token);
});

it("a proof has the same hash for the same network only", async () => {
  const hashes = [];
  for (const [i, address] of ["192.0.2.1", "192.0.2.1", "192.0.2.2"].entries()) {
    await newsletter.subscribe(signUpOf(`network-${i}@shop.example`), callerOf("DE", address));
    hashes.push((await recordsOf(db, `network-${i}@shop.example`))[0]?.networkHash);
  }
  expect(hashes).toEqual([hashes[0], hashes[0], expect.not.stringMatching(`${hashes[0]}`)]);
});

it("a sign-up is answered no sooner than the work for any address is done", async () => {
  const answerAfter = 200;
  const { newsletter } = await openNewsletter(undefined, { answerAfter });
  const began = performance.now();
  await newsletter.subscribe(signUpOf("late@shop.example"), de);
  expect(Math.ceil(performance.now() - began)).toBeGreaterThanOrEqual(answerAfter);
});

it("an address is the same in both spellings of its domain, and with spaces around it", async () => {
  for (const email of [" Jo@Müller.example ", "Jo@xn--mller-kva.example"]) {
    await newsletter.subscribe(signUpOf(email), de);
    pass(day);
  }
  expect(await mailsTo(db, "Jo@xn--mller-kva.example")).toHaveLength(2);
  const found = db.selectFrom("newsletterSubscription").select("state").where("email", "like", "%ller%");
  expect(await found.execute()).toEqual([{ state: "pending" }]);
});

describe("signing up again", () => {
  it("replaces the data while it isn't confirmed, and confirms with the link of any mail", async () => {
    const email = "again@shop.example";
    const first = await signUp(bench, email);
    pass(15 * minute);
    await newsletter.subscribe(signUpOf(email, { firstName: "Eva" }), de);
    expect(await subscriptionOf(db, email)).toMatchObject({ state: "pending", firstName: "Eva" });
    const second = (await lastMail(db, email, "confirm")).subscriberToken;
    for (const token of [first, second])
      expect(await newsletter.confirm(token, de)).toMatchObject({ status: "subscribed" });
    expect(await kindsTo(email)).toEqual(["confirm", "confirm", "welcome"]);
  });

  it("changes nothing of a confirmed subscription, and sends its owner a mail", async () => {
    const email = "owner@shop.example";
    await newsletter.confirm(await signUp(bench, email), de);
    const before = await subscriptionOf(db, email);
    pass(15 * minute);
    await newsletter.subscribe(signUpOf(email, { firstName: "Mallory" }), de);
    expect(await subscriptionOf(db, email)).toEqual(before);
    expect(await kindsTo(email)).toContain("alreadySubscribed");
  });

  it("starts again after the end: earlier links confirm nothing, the voucher is the same", async () => {
    const email = "back@shop.example";
    const first = await signUp(bench, email);
    await newsletter.confirm(first, de);
    const { voucher, unsubscribeToken } = await lastMail(db, email, "welcome");
    await newsletter.unsubscribe(unsubscribeToken, de);
    pass(15 * minute);
    const second = await signUp(bench, email);
    expect(await newsletter.confirm(first, de)).toEqual({ status: "invalidToken" });
    expect(await newsletter.confirm(second, de)).toMatchObject({ status: "subscribed" });
    expect((await lastMail(db, email, "welcome")).voucher).toEqual(voucher);
    expect(await eventsOf(email)).toEqual(["requested", "confirmed", "withdrawn", "requested", "confirmed"]);
  });

  it("brings no voucher when the earlier one has expired", async () => {
    const email = "late@shop.example";
    const site = sites.find(({ newsletter: { voucher } }) => voucher?.validMonths === 1)?.site ?? "";
    await newsletter.confirm(await signUp(bench, email, site), callerOf(site));
    const { unsubscribeToken, voucher } = await lastMail(db, email, "welcome");
    await newsletter.unsubscribe(unsubscribeToken, callerOf(site));
    pass((voucher?.validUntil ?? 0) - bench.now());
    await newsletter.confirm(await signUp(bench, email, site), callerOf(site));
    expect(await lastMail(db, email, "welcome")).not.toHaveProperty("voucher");
  });
});

describe("a link", () => {
  it("that somebody else has asked for refuses the sign-up for good, and deletes the personal data", async () => {
    const email = "stranger@shop.example";
    const token = await signUp(bench, email);
    for (let i = 0; i < 2; i++) expect(await newsletter.refuse(token, de)).toEqual({ status: "ended" });
    const emptied = { state: "refused", salutation: null, firstName: null, lastName: null, consents: "[]" };
    expect(await subscriptionOf(db, email)).toMatchObject(emptied);
    expect(await newsletter.confirm(token, de)).toEqual({ status: "invalidToken" });
    expect(await eventsOf(email)).toEqual(["requested", "refused"]);
  });

  it("ends a confirmed subscription as its owner's withdrawal", async () => {
    const email = "late-refusal@shop.example";
    const token = await signUp(bench, email);
    await newsletter.confirm(token, de);
    expect(await newsletter.refuse(token, de)).toEqual({ status: "ended" });
    expect(await eventsOf(email)).toEqual(["requested", "confirmed", "withdrawn"]);
  });

  it("that has expired brings a new mail once, however much later it is asked for again", async () => {
    const token = await signUp(bench, "slow@shop.example");
    pass(30 * day);
    for (let i = 0; i < 2; i++) {
      expect(await newsletter.resend(token, de)).toEqual({ status: "accepted" });
      pass(day);
    }
    expect(await mailsTo(db, "slow@shop.example")).toHaveLength(2);
  });

  it("confirms for the days of its country, to the millisecond", async () => {
    const [inTime, late] = [await signUp(bench, "in-time@shop.example"), await signUp(bench, "overdue@shop.example")];
    pass(de.site.newsletter.confirmWithinDays * day - 1);
    expect(await newsletter.confirm(inTime, de)).toMatchObject({ status: "subscribed" });
    pass(1);
    expect(await newsletter.confirm(late, de)).toEqual({ status: "expired" });
  });

  it("confirms once when it is followed 50 times at the same time", async () => {
    const token = await signUp(bench, "eager@shop.example");
    const results = await Promise.all(Array.from({ length: 50 }, () => newsletter.confirm(token, de)));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["subscribed"]));
    expect(await kindsTo("eager@shop.example")).toEqual(["confirm", "welcome"]);
  });
});

describe("a change", () => {
  it("is stored and recorded, before and after the confirmation", async () => {
    const email = "change@shop.example";
    const token = await signUp(bench, email);
    await newsletter.change(token, { firstName: " Eva  Maria " }, de);
    await newsletter.confirm(token, de);
    pass(minute);
    const fields = { consents: ["DNE" as const], salutation: "DIVERS" as const, lastName: "" };
    expect(await newsletter.change(token, fields, de)).toEqual({ status: "changed", fields });
    const changed = { firstName: "Eva Maria", lastName: null, salutation: "DIVERS", consents: '["DNE"]' };
    expect(await subscriptionOf(db, email)).toMatchObject({ state: "confirmed", ...changed });
    expect(await eventsOf(email)).toEqual(["requested", "changed", "confirmed", "changed"]);
  });

  it("must follow the rules of the country", async () => {
    const token = await signUp(bench, "rules@shop.example", "TR");
    const result = await newsletter.change(token, { lastName: "", consents: [] }, callerOf("TR"));
    expect(result).toMatchObject({ status: "invalid", faults: [{ field: "lastName" }, { field: "legals" }] });
    expect(await subscriptionOf(db, "rules@shop.example", "TR")).toMatchObject({ lastName: "Beispiel" });
  });

  it("isn't possible when the sign-up is over", async () => {
    const refused = await signUp(bench, "gone@shop.example");
    await newsletter.refuse(refused, de);
    const expired = await signUp(bench, "forgotten@shop.example");
    pass(30 * day);
    for (const token of [refused, expired])
      expect(await newsletter.change(token, { firstName: "Eva" }, de)).toEqual({ status: "invalidToken" });
  });
});
