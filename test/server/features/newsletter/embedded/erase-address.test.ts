import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
import { addAccount, findAccount } from "../../../../../server/accounts/accounts.ts";
import { exportToIys } from "../../../../../server/features/newsletter/embedded/consent-records.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/embedded/erase-address.ts";
import { createMailComposer } from "../../../../../server/features/newsletter/mail/compose-mail.tsx";
import { createFileTransport } from "../../../../../server/features/newsletter/mail/file-transport.ts";
import { createOutbox } from "../../../../../server/features/newsletter/mail/outbox.ts";
import type { Database } from "../../../../../server/store/open-store.ts";
import { callerWith, openLogin, password } from "../../../../support/login-test.ts";
import {
  type Bench,
  callerOf,
  lastMail,
  openNewsletter,
  signUp,
  subscriptionOf,
  tablesWith,
} from "../../../../support/newsletter-test.ts";
import { brand, countries, sites, texts } from "../../../../support/test-app.ts";
import { testKeys } from "../../../../support/test-store.ts";

const folder = await mkdtemp(join(tmpdir(), "erase-"));
afterAll(() => rm(folder, { recursive: true }));
const nowhere = join(folder, "none");
const nothing = {
  subscriptions: 0,
  mails: 0,
  mailFiles: 0,
  accounts: 0,
  providerSessions: 0,
  keptForRegister: 0,
  keptForReceiver: 0,
};

const erase = ({ db, now }: Pick<Bench, "db" | "now">, email: string, outbox = nowhere) =>
  eraseAddress(db, testKeys, email, outbox, now());

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

    expect(await erase(bench, " Erase.Me@ERASE.me ")).toEqual({
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
    expect(await erase(bench, "Erase.Me@erase.me")).toEqual(nothing);
  });

  it("is found in any spelling", async () => {
    const bench = await openNewsletter();
    await signUp(bench, "Anna.B@xn--mller-kva.example");
    expect(await erase(bench, "anna.b@MÜLLER.example")).toEqual({ ...nothing, subscriptions: 1, mails: 1 });
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
    expect(await erase({ db, now: Date.now }, "bea.gone@shop.example")).toEqual({ ...nothing, accounts: 1 });
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
    const erased = await erase(bench, "cleo.gone@shop.example", outbox);
    expect(erased).toEqual({ ...nothing, subscriptions: 1, mailFiles: 2 });
    expect(await readdir(outbox)).toEqual([expect.stringMatching(/\.eml$/), "notes.txt"]);
  });
});

describe("the register of consents in Türkiye", () => {
  const tr = callerOf("TR");
  const statuses = async (db: Database) => (await exportToIys(db)).entries.map(({ status }) => status);
  const taken = async (db: Database) => (await exportToIys(db)).markExported(0);
  /** Confirms a subscription, and ends it again if asked to. */
  async function confirm(bench: Bench, email: string, leaves = false) {
    await bench.newsletter.confirm(await signUp(bench, email, "TR"), tr);
    await taken(bench.db);
    bench.pass(minute);
    if (leaves) await bench.newsletter.unsubscribe((await lastMail(bench.db, email, "welcome")).unsubscribeToken, tr);
  }

  it("receives the withdrawal once when an address with an exported consent is erased", async () => {
    const bench = await openNewsletter();
    await confirm(bench, "Known@shop.example");
    expect(await erase(bench, "known@shop.example")).toMatchObject({ keptForRegister: 1 });
    const withdrawal = { recipient: "Known@shop.example", status: "RET", consentDate: "2026-11-20 13:01:00" };
    expect((await exportToIys(bench.db)).entries).toEqual([expect.objectContaining(withdrawal)]);
    await taken(bench.db);
    expect(await statuses(bench.db)).toEqual([]);
  });

  it("receives all that hasn't been exported yet, in order", async () => {
    const bench = await openNewsletter();
    await bench.newsletter.confirm(await signUp(bench, "new@shop.example", "TR"), tr);
    await erase(bench, "new@shop.example");
    expect(await statuses(bench.db)).toEqual(["ONAY", "RET"]);
    await confirm(bench, "left@shop.example", true);
    await erase(bench, "left@shop.example");
    expect(await statuses(bench.db)).toEqual(["RET"]);
  });

  it("receives nothing about addresses that it never knew, or whose withdrawal it has", async () => {
    const bench = await openNewsletter();
    await signUp(bench, "unconfirmed@shop.example", "TR");
    await bench.newsletter.confirm(await signUp(bench, "elsewhere@shop.example"), callerOf("DE"));
    await confirm(bench, "gone@shop.example", true);
    await taken(bench.db);
    for (const name of ["unconfirmed", "elsewhere", "gone"])
      expect(await erase(bench, `${name}@shop.example`)).toMatchObject({ keptForRegister: 0 });
    expect(await statuses(bench.db)).toEqual([]);
  });
});
