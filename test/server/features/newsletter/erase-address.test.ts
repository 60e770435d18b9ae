import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { day, minute } from "../../../../client/rules/time.ts";
import { addAccount, findAccount } from "../../../../server/accounts/accounts.ts";
import { exportToIys } from "../../../../server/features/newsletter/embedded/consent-records.ts";
import { eraseAddress } from "../../../../server/features/newsletter/erase-address.ts";
import { createMailComposer } from "../../../../server/features/newsletter/mail/compose-mail.tsx";
import { createFileTransport } from "../../../../server/features/newsletter/mail/file-transport.ts";
import { createOutbox } from "../../../../server/features/newsletter/mail/outbox.ts";
import type { Database } from "../../../../server/store/open-store.ts";
import { callerWith, openLogin, password } from "../../../support/login-test.ts";
import {
  callerOf,
  lastMail,
  openNewsletter,
  signUp,
  subscriptionOf,
  tablesWith,
} from "../../../support/newsletter-test.ts";
import { brand, countries, sites, texts } from "../../../support/test-app.ts";
import { testKeys } from "../../../support/test-store.ts";

const folder = await mkdtemp(join(tmpdir(), "erase-"));
afterAll(() => rm(folder, { recursive: true }));
const nowhere = join(folder, "none");
const nothing = { subscriptions: 0, mails: 0, mailFiles: 0, accounts: 0, keptForRegister: 0, keptForReceiver: 0 };

describe("an address that is erased", () => {
  it("leaves no trace of itself or its domain in any table, except what the register must receive", async () => {
    const bench = await openNewsletter();
    const { db, newsletter } = bench;
    const ids: string[] = [];
    for (const { site } of sites) {
      await newsletter.confirm(await signUp(bench, "Erase.Me@erase.me", site), callerOf(site));
      ids.push((await subscriptionOf(db, "Erase.Me@erase.me", site))?.id ?? "none");
      bench.pass(day);
    }
    await signUp(bench, "other@shop.example");

    expect(await eraseAddress(db, testKeys, " Erase.Me@ERASE.me ", nowhere, bench.now())).toEqual({
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
    expect(await eraseAddress(db, testKeys, "Erase.Me@erase.me", nowhere, bench.now())).toEqual(nothing);
  });

  it("is found in any spelling", async () => {
    const bench = await openNewsletter();
    const { db } = bench;
    await signUp(bench, "Anna.B@xn--mller-kva.example");
    const erased = await eraseAddress(db, testKeys, "anna.b@MÜLLER.example", nowhere, bench.now());
    expect(erased).toEqual({ ...nothing, subscriptions: 1, mails: 1 });
  });

  it("loses its account, with sessions and counted login attempts", async () => {
    const { db, login } = await openLogin();
    const email = "Bea.Gone@shop.example";
    await addAccount(db, "customer", { email, password, firstName: "Bea" });
    const tries = [password, "wrong password"].map((entered) => ({ email, password: entered }));
    for (const tried of tries) await login.login(tried, callerWith());
    const rows = async () => [
      await db.selectFrom("session").select("id").execute(),
      await db.selectFrom("rateLimit").select("key").where("key", "like", "%login-throttle%").execute(),
    ];
    expect((await rows()).map(({ length }) => length)).toEqual([1, 1]);
    const erased = await eraseAddress(db, testKeys, "bea.gone@shop.example", nowhere, Date.now());
    expect(erased).toEqual({ ...nothing, accounts: 1 });
    expect(await rows()).toEqual([[], []]);
    expect(await tablesWith(db, "bea.gone")).toEqual([]);
    expect(await findAccount(db, "customer", "ada@shop.example")).toBeDefined();
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
    const erased = await eraseAddress(db, testKeys, "cleo.gone@shop.example", outbox, now());
    expect(erased).toEqual({ ...nothing, subscriptions: 1, mailFiles: 2 });
    expect(await readdir(outbox)).toEqual([expect.stringMatching(/\.eml$/), "notes.txt"]);
  });
});

describe("the register of consents in Türkiye", () => {
  const statuses = async (db: Database) => (await exportToIys(db)).entries.map(({ status }) => status);
  const taken = async (db: Database) => (await exportToIys(db)).markExported(0);

  it("receives the withdrawal once when an address with an exported consent is erased", async () => {
    const bench = await openNewsletter();
    const { db, newsletter, now } = bench;
    await newsletter.confirm(await signUp(bench, "Known@shop.example", "TR"), callerOf("TR"));
    await taken(db);
    bench.pass(minute);
    expect(await eraseAddress(db, testKeys, "known@shop.example", nowhere, now())).toMatchObject({
      keptForRegister: 1,
    });
    const withdrawal = { recipient: "Known@shop.example", status: "RET", consentDate: "2026-11-20 13:01:00" };
    expect((await exportToIys(db)).entries).toEqual([expect.objectContaining(withdrawal)]);
    await taken(db);
    expect(await statuses(db)).toEqual([]);
  });

  it("receives all that hasn't been exported yet, in order", async () => {
    const bench = await openNewsletter();
    const { db, newsletter, now } = bench;
    await newsletter.confirm(await signUp(bench, "new@shop.example", "TR"), callerOf("TR"));
    await eraseAddress(db, testKeys, "new@shop.example", nowhere, now());
    expect(await statuses(db)).toEqual(["ONAY", "RET"]);
    await taken(db);

    await newsletter.confirm(await signUp(bench, "left@shop.example", "TR"), callerOf("TR"));
    await taken(db);
    const { unsubscribeToken } = await lastMail(db, "left@shop.example", "welcome");
    bench.pass(minute);
    await newsletter.unsubscribe(unsubscribeToken, callerOf("TR"));
    await eraseAddress(db, testKeys, "left@shop.example", nowhere, now());
    expect(await statuses(db)).toEqual(["RET"]);
  });

  it("receives nothing of addresses that it never knew, or whose withdrawal it has", async () => {
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
      expect(await eraseAddress(db, testKeys, `${name}@shop.example`, nowhere, now())).toMatchObject({
        keptForRegister: 0,
      });
    expect(await statuses(db)).toEqual([]);
  });
});
