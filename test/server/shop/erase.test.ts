import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { day, minute } from "../../../client/rules/time.ts";
import { erase } from "../../../server/shop/erase.ts";
import { customerAccounts } from "../../../server/shop/login/customer-accounts.ts";
import { createMailComposer } from "../../../server/shop/mail/compose-mail.tsx";
import { createFileTransport } from "../../../server/shop/mail/file-transport.ts";
import { createOutbox } from "../../../server/shop/mail/outbox.ts";
import { exportToIys } from "../../../server/shop/newsletter/export-to-iys.ts";
import type { Database } from "../../../server/shop/store/open-store.ts";
import type { Tables } from "../../../server/shop/store/tables.ts";
import { callerWith, openLogin, password } from "../../support/login-test.ts";
import { callerOf, lastMail, openNewsletter, signUp, subscriptionOf } from "../../support/newsletter-test.ts";
import { brand, countries, sites, texts } from "../../support/test-app.ts";

const folder = await mkdtemp(join(tmpdir(), "erase-"));
afterAll(() => rm(folder, { recursive: true }));
const nowhere = join(folder, "none");
const nothing = { subscriptions: 0, mails: 0, mailFiles: 0, accounts: 0, keptForRegister: 0, keptForReceiver: 0 };

/** The tables in which some text stands, in capitals or not. */
async function tablesWith(db: Database, text: string): Promise<string[]> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name as keyof Tables);
  expect(tables).toContain("consent_record");
  const contents = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return tables.filter((_table, i) => JSON.stringify(contents[i]).toLowerCase().includes(text.toLowerCase()));
}

describe("an address that is erased", () => {
  it("leaves no trace in any table but what the register has to know, and others alone", async () => {
    const bench = await openNewsletter();
    const { db, newsletter } = bench;
    const ids: string[] = [];
    for (const { site } of sites) {
      await newsletter.confirm(await signUp(bench, "Erase.Me@shop.example", site), callerOf(site));
      ids.push((await subscriptionOf(db, "Erase.Me@shop.example", site))?.id ?? "none");
      bench.pass(day);
    }
    await signUp(bench, "other@shop.example");

    expect(await erase(db, " Erase.Me@SHOP.example ", nowhere, bench.now())).toEqual({
      ...nothing,
      subscriptions: sites.length,
      mails: 2 * sites.length,
      keptForRegister: 2 * sites.filter(({ newsletter }) => newsletter.consentRegister === "IYS").length,
    });
    expect(await tablesWith(db, "erase.me")).toEqual(["erased_consent"]);
    for (const id of ids) expect(await tablesWith(db, id)).toEqual([]);
    await (await exportToIys(db)).markExported(bench.now());
    expect(await tablesWith(db, "erase.me")).toEqual([]);
    expect(await subscriptionOf(db, "other@shop.example")).toMatchObject({ state: "pending" });
    expect(await erase(db, "Erase.Me@shop.example", nowhere, bench.now())).toEqual(nothing);
  });

  it("is found in any spelling, whether the person or the operator wrote capitals", async () => {
    const bench = await openNewsletter();
    const { db } = bench;
    await signUp(bench, "Anna.B@xn--mller-kva.example");
    expect(await erase(db, "anna.b@MÜLLER.example", nowhere, bench.now())).toMatchObject({
      subscriptions: 1,
      mails: 1,
    });
    await signUp(bench, "eva@shop.example");
    await signUp(bench, "xeva@shop.example");
    expect(await erase(db, "EVA@shop.example", nowhere, bench.now())).toMatchObject({ subscriptions: 1, mails: 1 });
    expect(await subscriptionOf(db, "xeva@shop.example")).toBeDefined();
  });

  it("loses its customer's account, with sessions and counted tries", async () => {
    const { db, login, now } = await openLogin();
    const email = "Bea.Gone@shop.example";
    await customerAccounts.add(db, { email, password, firstName: "Bea" });
    const tries = [password, "wrong password"].map((entered) => ({ email, password: entered }));
    for (const tried of tries) await login.login(tried, callerWith());
    const rows = async () => [
      await db.selectFrom("loginSession").select("id").execute(),
      await db.selectFrom("loginThrottle").select("key").execute(),
    ];
    expect((await rows()).map(({ length }) => length)).toEqual([1, 1]);
    expect(await erase(db, "bea.gone@shop.example", nowhere, now())).toEqual({ ...nothing, accounts: 1 });
    expect(await rows()).toEqual([[], []]);
    expect(await tablesWith(db, "bea.gone")).toEqual([]);
    expect(await customerAccounts.find(db, "ada@shop.example")).toBeDefined();
  });

  it("loses the files of its mails, however old they are", async () => {
    const bench = await openNewsletter();
    const { db, now } = bench;
    const outbox = join(folder, "outbox");
    for (const email of ["Cleo.Gone@shop.example", "cleo.stays@shop.example"]) await signUp(bench, email);
    const compose = createMailComposer({ brand, countries, texts, mailFrom: "Cleo <cleo.gone@shop.example>" });
    const { send } = createFileTransport(outbox);
    for (const mail of await createOutbox(db).lease(now() + day, now() + 2 * day, 9)) await send(await compose(mail));
    const broken = "Subject: a\r\nTo:\r\n Cleo.Gone@shop.example\r\n\r\n";
    await writeFile(join(outbox, "broken-off.tmp"), broken);
    await writeFile(join(outbox, "notes.txt"), broken);
    await db.deleteFrom("mailOutbox").execute();
    expect(await readdir(outbox)).toHaveLength(4);
    expect(await erase(db, "cleo.gone@shop.example", outbox, now())).toEqual({
      ...{ ...nothing, subscriptions: 1, mailFiles: 2 },
    });
    const left = await readdir(outbox);
    expect(left).toEqual([expect.stringMatching(/\.eml$/), "notes.txt"]);
    expect(await erase(db, "cleo.stays@shop.example", outbox, now())).toMatchObject({ mailFiles: 1 });
  });
});

describe("the register of consents in Türkiye", () => {
  const statuses = async (db: Database) => (await exportToIys(db)).entries.map(({ status }) => status);
  const taken = async (db: Database) => (await exportToIys(db)).markExported(0);

  it("is told of the end of a consent that it knows when the address is erased, once", async () => {
    const bench = await openNewsletter();
    const { db, newsletter, now } = bench;
    await newsletter.confirm(await signUp(bench, "Told@shop.example", "TR"), callerOf("TR"));
    await taken(db);
    bench.pass(minute);
    expect(await erase(db, "told@shop.example", nowhere, now())).toMatchObject({ keptForRegister: 1 });
    const { entries, markExported } = await exportToIys(db);
    expect(entries).toEqual([
      expect.objectContaining({
        recipient: "Told@shop.example",
        status: "RET",
        consentDate: "2026-11-20 13:01:00",
      }),
    ]);
    await markExported(now());
    expect(await statuses(db)).toEqual([]);
  });

  it("is told of all that it doesn't know yet, in order", async () => {
    const bench = await openNewsletter();
    const { db, newsletter, now } = bench;
    await newsletter.confirm(await signUp(bench, "new@shop.example", "TR"), callerOf("TR"));
    await erase(db, "new@shop.example", nowhere, now());
    expect(await statuses(db)).toEqual(["ONAY", "RET"]);
    await taken(db);

    await newsletter.confirm(await signUp(bench, "left@shop.example", "TR"), callerOf("TR"));
    await taken(db);
    const { unsubscribeToken } = await lastMail(db, "left@shop.example", "welcome");
    bench.pass(minute);
    await newsletter.unsubscribe(unsubscribeToken, callerOf("TR"));
    await erase(db, "left@shop.example", nowhere, now());
    expect(await statuses(db)).toEqual(["RET"]);
  });

  it("is told nothing of an address that it never knew, or whose end it knows", async () => {
    const bench = await openNewsletter();
    const { db, newsletter, now } = bench;
    await signUp(bench, "unconfirmed@shop.example", "TR");
    await newsletter.confirm(await signUp(bench, "elsewhere@shop.example", "DE"), callerOf("DE"));
    await newsletter.confirm(await signUp(bench, "gone@shop.example", "TR"), callerOf("TR"));
    const { unsubscribeToken } = await lastMail(db, "gone@shop.example", "welcome");
    bench.pass(minute);
    await newsletter.unsubscribe(unsubscribeToken, callerOf("TR"));
    await taken(db);
    for (const name of ["unconfirmed", "elsewhere", "gone"])
      expect(await erase(db, `${name}@shop.example`, nowhere, now())).toMatchObject({ keptForRegister: 0 });
    expect(await statuses(db)).toEqual([]);
  });
});
