import { beforeEach, describe, expect, it } from "vitest";
import { day, hour, minute, second } from "../../../../../client/rules/time.ts";
import { exportConsent } from "../../../../../server/features/newsletter/embedded/export-subscribers.tsx";
import { inTransaction } from "../../../../../server/store/open-store.ts";
import { openEvents } from "../../../../support/event-test.ts";
import {
  callerOf,
  lastMail,
  mailsTo,
  openNewsletter,
  recordsOf,
  signUp,
  subscriptionOf,
} from "../../../../support/newsletter-test.ts";

const email = "ada@shop.example";
const de = callerOf("DE");
const accepted = { status: "accepted" };

let bench: Awaited<ReturnType<typeof openEvents>>;
beforeEach(async () => {
  bench = await openEvents();
});

/** The token of the last mail of a kind. */
async function tokenIn(kind: "confirm" | "welcome" | "preferences", to = email) {
  return (await lastMail(bench.db, to, kind)).preferencesToken ?? "";
}

/** Signs up and confirms an address, and returns the token of its welcome mail. */
async function subscribe(to = email, site = "DE") {
  await bench.confirm(to, site);
  return tokenIn("welcome", to);
}

const read = (token: string) => bench.newsletter.preferences.read(token);
const save = (token: string, change = {}) =>
  bench.newsletter.preferences.change(token, { firstName: "Eva", consents: ["DNE", "NEWSLETTER"], ...change }, de);

describe("the token of the subscriber's page", () => {
  it("in each mail shows and changes the data, as often as wanted, and as long as the subscription lasts", async () => {
    const asked = await signUp(bench, email);
    const first = await tokenIn("confirm");
    expect(await read(first)).toMatchObject({ status: "found", site: "DE", isConfirmed: false });
    await bench.newsletter.confirm(asked, de);
    const tokens = [first, await tokenIn("welcome")];
    bench.pass(400 * day);
    for (const token of tokens)
      for (const firstName of ["Eva", "Adele"]) {
        expect(await save(token, { firstName, categories: ["COFFEE"] })).toMatchObject({ status: "changed" });
        const preferences = { salutation: "MRS", firstName, lastName: "Beispiel", categories: ["COFFEE"] };
        expect(await read(token)).toMatchObject({ status: "found", isConfirmed: true, preferences });
      }
    const [token = ""] = tokens;
    expect(await bench.newsletter.unsubscribe(token, de)).toEqual({ status: "ended" });
    for (const used of tokens) {
      expect(await read(used)).toEqual({ status: "ended", site: "DE" });
      expect(await save(used)).toEqual({ status: "invalidToken" });
    }
    expect(await subscriptionOf(bench.db, email)).toMatchObject({ state: "withdrawn", firstName: null });
  });

  it("of an ended subscription opens no later one of the same address", async () => {
    const old = await subscribe();
    await bench.newsletter.unsubscribe(old, de);
    bench.pass(day);
    const next = await subscribe();
    expect(await read(old)).toEqual({ status: "invalidToken" });
    expect(await save(old)).toEqual({ status: "invalidToken" });
    expect(await read(next)).toMatchObject({ status: "found" });
  });

  it("has this purpose: others only end the subscription, and it confirms, refuses and sends nothing", async () => {
    const asked = await signUp(bench, email);
    const { unsubscribeToken, preferencesToken = "" } = await lastMail(bench.db, email, "confirm");
    for (const call of ["confirm", "refuse", "resend"] as const)
      expect(await bench.newsletter[call](preferencesToken, de), call).toEqual({ status: "invalidToken" });
    for (const token of [asked, unsubscribeToken]) expect(await read(token)).toEqual({ status: "endOnly", site: "DE" });
    for (const token of ["", "unknown", "%00"]) expect(await read(token)).toEqual({ status: "invalidToken" });
    expect(await bench.newsletter.change(unsubscribeToken, { firstName: "Eva" }, de)).toEqual({
      status: "invalidToken",
    });
    bench.pass(8 * day);
    expect(await read(unsubscribeToken), "of a sign-up that was confirmed too late").toMatchObject({
      status: "endOnly",
    });
    await bench.newsletter.cleanUp();
    for (const token of [preferencesToken, unsubscribeToken])
      expect(await read(token)).toEqual({ status: "invalidToken" });
  });

  it("is also that of the documented calls", async () => {
    const token = await subscribe();
    const change = { categories: ["KIDS", "STORE"] as const };
    expect(await bench.newsletter.change(token, { categories: [...change.categories] }, de)).toMatchObject({
      status: "changed",
    });
    expect(await bench.newsletter.read(token)).toMatchObject({ subscription: { status: "SUBSCRIBED" } });
    expect(await subscriptionOf(bench.db, email)).toMatchObject({ categories: '["KIDS","STORE"]' });
  });
});

describe("a consent that is given on the subscriber's page", () => {
  it("is proven with the text that the page shows, the mail and the language, and so is its withdrawal", async () => {
    const token = await subscribe();
    bench.pass(minute);
    await save(token);
    bench.pass(minute);
    await save(token, { consents: ["NEWSLETTER"] });
    const records = (await recordsOf(bench.db, email)).filter(({ event }) => event === "changed");
    expect(records.map(({ declaration }) => JSON.parse(declaration).consents)).toEqual([
      ["DNE", "NEWSLETTER"],
      ["NEWSLETTER"],
    ]);
    const { id } = (await mailsTo(bench.db, email)).find(({ kind }) => kind === "welcome") ?? {};
    for (const record of records) {
      expect(record).toMatchObject({ mailId: id, language: "de-DE" });
      expect(record.text).toMatch(/^Newsletter-Einstellungen\nJa, ich möchte Angebote erhalten, die zu mir passen\./);
      expect(record.text).toMatch(/\nEinstellungen speichern$/);
      expect(record.networkHash).toBeTruthy();
    }
    const [exported] = await exportConsent(bench.db, email);
    expect(exported?.records.filter(({ event }) => event === "changed").map(({ text }) => text)).toEqual(
      records.map(({ text }) => text),
    );
  });

  it("can be changed by a subscriber whose import lacked the consent to commercial messages", async () => {
    const token = await subscribe(email, "TR");
    await bench.db.updateTable("newsletterSubscription").set({ consents: "[]" }).execute();
    const change = { consents: [], firstName: "Eva" };
    expect(await save(token, change)).toMatchObject({ status: "changed" });
    expect(await bench.newsletter.change(token, change, callerOf("TR")), "by the call").toMatchObject({
      status: "invalid",
      faults: [{ field: "legals" }],
    });
  });

  it("keeps to the rules of its country", async () => {
    const token = await subscribe(email, "HU");
    expect(await save(token, { firstName: "", salutation: null })).toMatchObject({
      status: "invalid",
      faults: [{ field: "salutation" }, { field: "firstName" }],
    });
    expect(await subscriptionOf(bench.db, email, "HU")).toMatchObject({ firstName: "Ada", salutation: "MRS" });
  });
});

describe("a link that is asked for by address", () => {
  const ask = (to: string, address?: string) =>
    bench.newsletter.preferences.request(to, address ? callerOf("DE", address) : callerOf("DE"));
  const kindsTo = async (to: string) => (await mailsTo(bench.db, to)).map(({ kind }) => kind);

  it("is mailed to subscribers alone, with the same answer for everybody", async () => {
    await subscribe();
    await signUp(bench, "pending@shop.example");
    bench.pass(hour);
    for (const to of ["ADA@shop.example", email, "pending@shop.example", "nobody@shop.example"])
      expect(await ask(to), to).toEqual(accepted);
    expect(await kindsTo(email)).toEqual(["confirm", "welcome", "preferences", "preferences"]);
    expect(await kindsTo("pending@shop.example")).toEqual(["confirm"]);
    expect(await kindsTo("nobody@shop.example")).toEqual([]);
    expect(await subscriptionOf(bench.db, "nobody@shop.example")).toBeUndefined();
    expect(await read(await tokenIn("preferences"))).toMatchObject({ status: "found" });
    expect(await ask("no address")).toEqual({
      status: "invalid",
      faults: [{ field: "email", key: "error.email.invalid" }],
    });
  });

  it("has the limits of sign-ups: by mailbox, network and suppression", async () => {
    await subscribe();
    bench.pass(day);
    for (let i = 0; i < 6; i++) expect(await ask(email)).toEqual(accepted);
    const mails = (await bench.db.selectFrom("mailOutbox").selectAll().where("kind", "=", "preferences").execute())
      .map(({ nextAttemptAt }) => nextAttemptAt - bench.now())
      .toSorted((a, b) => a - b);
    expect(mails).toEqual([0, 15 * minute, 30 * minute, day]);

    for (let i = 0; i < 60; i++) expect(await ask("nobody@shop.example", "192.0.2.7")).toEqual(accepted);
    expect(await ask("nobody@shop.example", "192.0.2.7")).toEqual({ status: "rateLimited", retryAfter: 60 });

    const other = "suppressed@shop.example";
    await subscribe(other);
    await inTransaction(bench.db, (transaction) => bench.suppression.suppress(transaction, other, bench.now()));
    expect(await ask(other)).toEqual(accepted);
    expect(await kindsTo(other)).not.toContain("preferences");
  });

  it("is answered after the same time for every address", async () => {
    const { newsletter } = await openNewsletter(bench.db, { answerAfter: 40 });
    await subscribe();
    for (const to of [email, "nobody@shop.example"]) {
      const start = performance.now();
      expect(await newsletter.preferences.request(to, callerOf("DE"))).toEqual(accepted);
      expect(performance.now() - start).toBeGreaterThanOrEqual(39);
      expect(performance.now() - start).toBeLessThan(5 * second);
    }
  });
});
