import { describe, expect, it, onTestFinished } from "vitest";
import { hour } from "../../../client/rules/time.ts";
import { addAccount } from "../../../server/accounts/accounts.ts";
import { createSenderTokens } from "../../../server/features/newsletter/embedded/subscriptions.ts";
import { createOutbox, enqueueMails } from "../../../server/features/newsletter/mail/outbox.ts";
import { createOutput } from "../../../server/store/command.ts";
import { openLogin, password, renewed, signIn } from "../../support/login-test.ts";
import { collect, runOnStore } from "../../support/run-on-store.ts";
import { seedDemo } from "../../support/seed-demo.ts";
import { countries, testLogger, texts } from "../../support/test-app.ts";
import { openTestStore, testKeys } from "../../support/test-store.ts";

const store = await openTestStore(testLogger);
const { db } = store;

/** Runs a command on the store of this file, and returns its output. */
function write(name: string, argument: string, options: Record<string, string>, json: boolean) {
  const given = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  return runOnStore(store, [...name.split(" "), ...(argument ? [argument] : []), ...given], json);
}
const asJson = async (name: string, argument = "", options: Record<string, string> = {}) =>
  JSON.parse(await write(name, argument, options, true));
const asText = (name: string, argument = "", options: Record<string, string> = {}) =>
  write(name, argument, options, false);

/** A mail with a token that nobody may read. */
const addMail = (id: string, at: number) =>
  enqueueMails(db, [
    { id, kind: "welcome", site: "DE", recipient: `${id}@shop.example`, data: { unsubscribeToken: "SECRET" }, at },
  ]);

it("an operator lists waiting and failed mails, retries them, or drops them", async () => {
  const at = Date.now();
  const outbox = createOutbox(db);
  for (const id of ["failed", "bounced"]) await addMail(id, at - hour);
  for (const mail of await outbox.lease(at, at + hour, 2)) {
    await outbox.end(mail, mail.id === "failed" ? "failed" : "bounced", at);
  }
  await addMail("waiting", at + hour);
  await addMail("under-way", at);
  const [underWay] = await outbox.lease(at, at + hour, 1);
  expect(underWay?.id).toBe("under-way");

  const states = async (options: Record<string, string> = {}) => {
    const mails = await asJson("mails list", "", options);
    return Object.fromEntries(mails.map((mail: Record<string, string>) => [mail.id, mail.state]));
  };
  expect(await states()).toEqual({ failed: "failed", bounced: "failed", waiting: "waiting", "under-way": "waiting" });
  expect(await states({ state: "failed" })).toEqual({ failed: "failed", bounced: "failed" });
  expect(await asText("mails list")).toMatch(/^id +kind +site +recipient +state +attempts +createdAt +nextAttemptAt\n/);
  expect(await asText("mails list")).not.toContain("SECRET");
  await expect(asText("mails list", "", { state: "sent" })).rejects.toThrow("--state must be waiting or failed");

  await expect(asText("mails retry", "bounced")).rejects.toThrow("there is no mail bounced to send");
  await expect(asText("mails retry", "under-way")).rejects.toThrow("there is no mail under-way to send");
  expect(await asText("mails retry", "waiting")).toBe("waiting is sent within ten seconds\n");
  expect(await asText("mails retry-all")).toBe("1 mails are tried again\n");
  const due = await outbox.lease(Date.now(), at + hour, 9);
  expect(due.map(({ id }) => id).toSorted()).toEqual(["failed", "waiting"]);
  expect(due[0]?.data).toContain("SECRET");
  for (const mail of due) await outbox.postpone(mail, at + hour);

  await expect(asText("mails drop", "under-way")).rejects.toThrow("there is no mail under-way that waits");
  expect(await asJson("mails drop", "waiting")).toEqual({ message: "waiting dropped" });
  await expect(asText("mails retry", "waiting")).rejects.toThrow("there is no mail waiting to send");
});

it("an operator lists the members of staff", async () => {
  await addAccount(db, "staff", { email: "Eve@shop.example", password });
  await addAccount(db, "staff", { email: "bob@shop.example", password, demo: true });
  expect(await asJson("staff list")).toEqual([
    { email: "bob@shop.example", locked: false, demo: true },
    { email: "Eve@shop.example", locked: false, demo: false },
  ]);
  expect(await asText("staff list")).toBe(
    "email             locked  demo\nbob@shop.example  false   true\nEve@shop.example  false   false\n",
  );
});

it("an operator lists the sessions of an account, and ends one of them", async () => {
  const customers = await openLogin(db);
  const address = "ada@shop.example";
  await addAccount(db, "customer", { email: address, password });
  expect(await asText("account sessions", address)).toBe("none\n");
  const first = await signIn(customers, { email: address });
  const [{ session, ...times }] = await asJson("account sessions", address);
  expect(Date.parse(times.endsAt) - Date.parse(times.startedAt)).toBe(12 * hour);
  const second = await signIn(customers, { email: address });
  const text = await asText("account sessions", address);
  expect(text.split("\n")).toHaveLength(4);
  for (const jar of [first, second])
    for (const cookie of Object.values(jar)) expect(text).not.toContain(String(cookie));

  await expect(asText("account sign-out", address, { session: "none" })).rejects.toThrow(
    `${address} has no session none`,
  );
  expect(await asText("account sign-out", address, { session })).toBe(`${address} signed out of one session\n`);
  expect((await renewed(customers, first)).status).toBe("ended");
  expect((await renewed(customers, second)).status).toBe("renewed");
  await db.updateTable("session").set({ expiresAt: Date.now() }).execute();
  expect(await asText("account sessions", address)).toBe("none\n");
});

it("an operator lists A/B tests and promotions", async () => {
  await seedDemo({ db, sites: countries.sites, texts });
  const [test] = await asJson("tests list");
  expect(test).toEqual({
    ...{ name: expect.any(String), groups: expect.arrayContaining([expect.any(String)]) },
    ...{ validFrom: expect.stringMatching(/Z$/), validTo: null },
  });
  const promotions = await asJson("promotions list");
  expect(promotions).toContainEqual(expect.objectContaining({ site: "DE", key: "SHOP_FOOTER", test: null }));
  expect(await asText("promotions list")).toMatch(/^id +key +site +headline +test +group +validFrom +validTo\n/);
});

it("no command prints passwords or tokens", async () => {
  for (const name of ["mails list", "staff list", "tests list", "promotions list", "subscribers export"])
    for (const text of [await asText(name), JSON.stringify(await asText(name))])
      expect(text, name).not.toMatch(/\$(argon2|scrypt)|passwordHash|SECRET|token/i);
});

it("a list has no line breaks or terminal commands from a value", async () => {
  const { stream, written: lines } = collect();
  await createOutput(stream, false).list([{ headline: "one\ntwo\u001b[2J", group: null }]);
  expect(lines).toEqual(["headline     group\none two [2J  -\n"]);
});

describe("CSV of subscribers", () => {
  /** Exports one subscriber of an id with some values, and returns the line. */
  async function lineOf(id: string, columns: object, options = "") {
    await db
      .insertInto("newsletterSubscription")
      .values({
        ...{ id, site: "DE", email: "csv@shop.example", salutation: null, firstName: null, lastName: null },
        ...{ consents: "[]", categories: "[]", origin: "NEWSLETTER", originAddition: null },
        state: "confirmed" as const,
        ...{ createdAt: 0, requestedAt: 0, changedAt: 0, confirmedAt: 0, lastOpenedAt: null, sendingStoppedAt: null },
        ...columns,
      })
      .execute();
    onTestFinished(async () => {
      await db.deleteFrom("newsletterSubscription").where("id", "=", id).execute();
    });
    return asText(`subscribers export${options}`);
  }

  it.each([
    [{ firstName: "Ada", lastName: null }, ",Ada,,"],
    [{ firstName: "Lovelace, Ada", lastName: 'the "first"' }, ',"Lovelace, Ada","the ""first""",'],
    [{ firstName: "two\nlines", consents: '["DNE","NEWSLETTER"]' }, ',"two\nlines",,"DNE,NEWSLETTER",'],
    [{ firstName: "=1+1", lastName: "+49" }, ",'=1+1,'+49,"],
    [{ firstName: "-1", lastName: "@sum" }, ",'-1,'@sum,"],
    [{ firstName: '=HYPERLINK("//x","y")' }, `,"'=HYPERLINK(""//x"",""y"")",`],
  ])("quotes cells and has no formulas: %j", async (columns, cells) => {
    const line = await lineOf("csv", columns);
    expect(line).toContain(`\r\ncsv,DE,csv@shop.example,confirmed,${cells}`);
    expect(line).toMatch(/\r\n$/);
  });

  it("has tokens as they are, also one that begins with a hyphen", async () => {
    const tokenOf = createSenderTokens(testKeys);
    const id = Array.from({ length: 5_000 }, (_, n) => `csv-${n}`).find((one) => tokenOf(one).startsWith("-")) ?? "";
    expect(await lineOf(id, {}, " --tokens")).toContain(`,${tokenOf(id)}\r\n`);
  });
});
