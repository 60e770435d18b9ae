import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { hour } from "../../../client/rules/time.ts";
import { commandTable } from "../../../server/commands/command-table.ts";
import { createOutput } from "../../../server/commands/output.ts";
import { readEnv } from "../../../server/env.ts";
import { customerAccounts } from "../../../server/shop/login/customer-accounts.ts";
import { enqueueMails } from "../../../server/shop/mail/enqueue-mails.ts";
import { createOutbox } from "../../../server/shop/mail/outbox.ts";
import { staffAccounts } from "../../../server/shop/preview/staff-accounts.ts";
import { seedDemo } from "../../../server/shop/seed-demo.ts";
import { openLogin, password, renewed, signIn } from "../../support/login-test.ts";
import { countries, testLogger, texts } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

const store = await openTestStore(testLogger);
const { db } = store;
const env = readEnv({});

/** Runs a command on the store of this file, and gives what it has written. */
async function write(name: string, argument: string, options: Record<string, string>, json: boolean) {
  const command = commandTable.find((known) => known.name === name);
  if (!command) throw new Error(`there is no command ${name}`);
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const progress = { report() {}, announceCopy() {}, end() {} };
  const output = createOutput(stream, json);
  const context = { env, logger: testLogger, output, progress, openStore: async () => store };
  await command.run(context, argument, options);
  return text;
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

it("an operator lists the mails that wait or were given up, tries them once more, or drops them", async () => {
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

  const states = async (state?: string) =>
    Object.fromEntries(
      (await asJson("mails list", "", state === undefined ? {} : { state })).map((mail: Record<string, string>) => [
        mail.id,
        mail.state,
      ]),
    );
  expect(await states()).toEqual({ failed: "failed", bounced: "failed", waiting: "waiting", "under-way": "waiting" });
  expect(await states("failed")).toEqual({ failed: "failed", bounced: "failed" });
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
  await staffAccounts.add(db, { email: "Eve@shop.example", password });
  await staffAccounts.add(db, { email: "bob@shop.example", password, isDemo: true });
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
  customers.pass(Date.now() - customers.now());
  const address = "ada@shop.example";
  await customerAccounts.add(db, { email: address, password });
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
  expect(Object.keys(promotions[0])).toEqual([
    "id",
    "key",
    "site",
    "headline",
    "test",
    "group",
    "validFrom",
    "validTo",
  ]);
  expect(await asText("promotions list")).toMatch(/^id +key +site +headline +test +group +validFrom +validTo\n/);
});

it("no command prints what opens something", async () => {
  for (const name of ["mails list", "staff list", "tests list", "promotions list", "subscribers export"])
    for (const text of [await asText(name), JSON.stringify(await asText(name))])
      expect(text, name).not.toMatch(/\$(argon2|scrypt)|passwordHash|SECRET|token/i);
});

it("a list has no line break or command of a terminal that somebody has put into a value", async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  await createOutput(stream, false).list([{ headline: "one\ntwo\u001b[2J", group: null }]);
  expect(lines).toEqual(["headline     group\none two [2J  -\n"]);
});
