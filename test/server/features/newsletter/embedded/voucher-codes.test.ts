import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { minute } from "../../../../../client/rules/time.ts";
import type { Country } from "../../../../../schemas/types.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/embedded/erase-address.ts";
import { importCodes } from "../../../../../server/features/newsletter/embedded/voucher-codes.ts";
import { createVoucherJob } from "../../../../../server/features/newsletter/embedded/voucher-job.ts";
import { callerOf, lastMail, mailsTo, openNewsletter, signUp, signUpOf } from "../../../../support/newsletter-test.ts";
import { pipeToCommand, runCommand, storeVariables } from "../../../../support/run-command.ts";
import { runOnStore } from "../../../../support/run-on-store.ts";
import { countries, testLogger } from "../../../../support/test-app.ts";
import { createStorePlace, emptyTables, openTestStore, testKeys } from "../../../../support/test-store.ts";

const offer = { discount: 10, codes: "imported" } as const;
const de = callerOf("DE");

/** The built-in countries with another voucher, or with none. */
function withVoucher(voucher: Country["newsletter"]["voucher"]): typeof countries {
  const sites = countries.sites.map(({ newsletter: { voucher: _, ...newsletter }, ...site }) => ({
    ...site,
    newsletter: { ...newsletter, ...(voucher && { voucher }) },
  }));
  return { ...countries, sites, get: (code) => sites.find(({ site }) => site === code) };
}

/** Opens a newsletter whose codes are imported, with the given ones. */
async function openTill(codes: readonly string[] = []) {
  const place = await createStorePlace(emptyTables);
  const store = await openTestStore(testLogger, place);
  const { db } = store;
  const bench = await openNewsletter(db, { countries: withVoucher(offer), hasReceiver: true });
  const add = (more: readonly string[]) => importCodes(db, "DE", more, bench.now());
  if (codes.length > 0) await add(codes);
  const confirm = async (email: string) => bench.newsletter.confirm(await signUp(bench, email), de);
  /** Lets a replica look once for waiting emails and codes. */
  const look = async (context = bench.context) => {
    const job = createVoucherJob(context, () => undefined);
    await job.start();
    await job.close();
  };
  const left = async () =>
    (await bench.metrics.vouchersLeft.get()).values.find(({ labels }) => labels.site === "DE")?.value;
  /** Lists the code in each welcome email, `none` for those without. */
  const welcomed = async () => {
    const mails = await db.selectFrom("mailOutbox").select("data").where("kind", "=", "welcome").execute();
    return mails.map(({ data }) => JSON.parse(data).voucher?.code ?? "none");
  };
  const issued = async () => (await db.selectFrom("voucher").select("code").execute()).map(({ code }) => code);
  /** Imports a file by the command, in this process. */
  const importFile = async (text: string, json = false) => {
    const file = join(place.dataDir, "codes.txt");
    await writeFile(file, text);
    return runOnStore(store, ["vouchers", "import", file, "--site", "DE"], json);
  };
  return { ...bench, place, store, add, confirm, look, left, welcomed, issued, importFile };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `TILL-${String(from + index).padStart(3, "0")}`);

describe("imported codes", () => {
  it("go to 150 of 200 who confirm at once, one each, and to the others once there are more", async () => {
    const { add, db, issued, left, look, newsletter, welcomed, context } = await openTill(numbered(0, 150));
    const emails = numbered(0, 200).map((name) => `${name}@shop.example`);
    await Promise.all(emails.map((email) => newsletter.subscribe(signUpOf(email), callerOf("DE"))));
    const asked = await db.selectFrom("mailOutbox").select("data").where("kind", "=", "confirm").execute();
    const tokens = asked.map(({ data }) => JSON.parse(data).subscriberToken);
    expect(tokens).toHaveLength(200);
    const press = (token: string) =>
      newsletter.confirm(token, callerOf("DE")).then(
        ({ status }) => status === "subscribed",
        ({ cause }) => {
          expect(String(cause)).toMatch(/timeout exceeded when trying to connect|the database is overloaded/);
          return false;
        },
      );
    // On a busy machine, some wait too long for PostgreSQL's pool, or for their turn in SQLite. They press the button again.
    for (let open = tokens; open.length > 0; ) {
      const confirmed = await Promise.all(open.map(press));
      open = open.filter((_token, index) => !confirmed[index]);
    }
    expect((await welcomed()).toSorted()).toEqual(numbered(0, 150));
    expect(await db.selectFrom("voucherWait").selectAll().execute()).toHaveLength(50);
    await look();
    expect(await left()).toBe(0);
    expect(await welcomed()).toHaveLength(150);

    await add(numbered(150, 200));
    // Two replicas find the codes at the same time.
    await Promise.all([look(), look(context)]);
    expect((await welcomed()).toSorted()).toEqual(numbered(0, 200));
    expect((await issued()).toSorted()).toEqual(numbered(0, 200));
    const mails = await db.selectFrom("mailOutbox").select("recipient").where("kind", "=", "welcome").execute();
    expect(new Set(mails.map(({ recipient }) => recipient)).size).toBe(200);
    expect(await db.selectFrom("voucherWait").selectAll().execute()).toEqual([]);
  });

  it("go out in the order in which they were imported, whatever their letters", async () => {
    const { add, confirm, issued, pass } = await openTill(["Z"]);
    pass(minute);
    await add(["A"]);
    await confirm("first@shop.example");
    expect(await issued()).toEqual(["Z"]);
  });

  it("stay when a confirmation fails, and so do those of a waiting email", async () => {
    const { confirm, context, db, issued, look, newsletter, welcomed, ...bench } = await openTill(["A"]);
    const token = await signUp({ ...bench, context, db, newsletter }, "fails@shop.example");
    const { addConsentRecords } = context;
    context.addConsentRecords = () => Promise.reject(new Error("a fault after the code was taken"));
    await expect(newsletter.confirm(token, de)).rejects.toThrow("the database can't be written");
    Object.assign(context, { addConsentRecords });
    expect([await issued(), await welcomed()]).toEqual([[], []]);
    await newsletter.confirm(token, de);
    expect([await issued(), await welcomed()]).toEqual([["A"], ["A"]]);

    await confirm("waits@shop.example");
    await bench.add(["B"]);
    await look({
      ...context,
      senderTokenOf() {
        throw new Error("a fault after the code was taken");
      },
    });
    expect(await issued()).toEqual(["A"]);
    await look();
    expect(await welcomed()).toEqual(["A", "B"]);
  });

  it("come with the event: none at the confirmation of a waiting subscriber, and a change with the code later", async () => {
    const { add, confirm, db, look } = await openTill(["A"]);
    await confirm("first@shop.example");
    await confirm("second@shop.example");
    await add(["B"]);
    await look();
    const events = await db.selectFrom("newsletterEvent").select(["type", "data"]).orderBy("createdAt").execute();
    const said = events.map(({ type, data }) => [type, JSON.parse(data).email, JSON.parse(data).voucher]);
    expect(said).toHaveLength(3);
    expect(said).toEqual(
      expect.arrayContaining([
        ["confirmed", "first@shop.example", { code: "A" }],
        ["confirmed", "second@shop.example", null],
        ["changed", "second@shop.example", { code: "B" }],
      ]),
    );
  });

  it("are kept by people who subscribe again, also when none is left", async () => {
    const { confirm, db, newsletter, pass } = await openTill(["A"]);
    const email = "back@shop.example";
    await confirm(email);
    await newsletter.unsubscribe((await lastMail(db, email, "welcome")).unsubscribeToken, de);
    pass(15 * minute);
    await confirm(email);
    expect((await lastMail(db, email, "welcome")).voucher?.code).toBe("A");
  });

  it("go to nobody who has ended the newsletter, or wants no email, while waiting", async () => {
    const { add, confirm, db, issued, look, newsletter, suppression, now } = await openTill();
    for (const name of ["ends", "hidden", "stays"]) await confirm(`${name}@shop.example`);
    await newsletter.unsubscribe((await lastMail(db, "ends@shop.example", "confirm")).unsubscribeToken, de);
    await db
      .transaction()
      .execute((transaction) => suppression.suppress(transaction, "hidden@shop.example", now(), "wish"));
    await add(["A", "B", "C"]);
    await look();
    expect(await issued()).toEqual(["A"]);
    const kinds = async (email: string) => (await mailsTo(db, email)).map(({ kind }) => kind).toSorted();
    expect(await kinds("ends@shop.example")).toEqual(["confirm"]);
    expect(await kinds("hidden@shop.example")).toEqual(["confirm"]);
    expect(await kinds("stays@shop.example")).toEqual(["confirm", "welcome"]);
  });

  it("aren't given again after an erasure, which also ends the waiting", async () => {
    const { add, confirm, db, issued, look, now } = await openTill(["A"]);
    await confirm("gone@shop.example");
    await confirm("waits@shop.example");
    for (const name of ["gone", "waits"])
      await eraseAddress(db, testKeys, `${name}@shop.example`, "/nowhere", now(), {});
    expect(await db.selectFrom("voucherWait").selectAll().execute()).toEqual([]);
    expect(await add(["A", "B"])).toEqual(["unchanged", "added"]);
    await confirm("next@shop.example");
    await look();
    expect(await issued()).toEqual(["B"]);
  });

  it("leave waiting emails to another kind of voucher, once the country has one or none", async () => {
    const { confirm, context, look, welcomed } = await openTill();
    await confirm("first@shop.example");
    await look({ ...context, countries: withVoucher({ discount: 10 }) });
    expect(await welcomed()).toEqual([expect.stringMatching(/^[2-9A-Z]{12}$/)]);
    await confirm("second@shop.example");
    await look({ ...context, countries: withVoucher(undefined) });
    expect(await welcomed()).toEqual(expect.arrayContaining(["none"]));
  });
});

it("a country without voucher gives none, not even the earlier one", async () => {
  const { confirm, db, newsletter, pass } = await openTill(["A"]);
  const email = "back@shop.example";
  await confirm(email);
  await newsletter.unsubscribe((await lastMail(db, email, "welcome")).unsubscribeToken, de);
  pass(15 * minute);
  const later = await openNewsletter(db, { countries: withVoucher(undefined), startsAt: Date.UTC(2026, 10, 20, 11) });
  await later.newsletter.confirm(await signUp(later, email), de);
  expect(await lastMail(db, email, "welcome")).not.toHaveProperty("voucher");
});

describe("vouchers import", () => {
  const lines = ["A-1", "", "A-1", "x".repeat(200), "B 2", "b_2", "a,10%", "ß", "C3\r", "OTHER"];

  it("takes the good lines, names the others, and changes nothing when repeated", async () => {
    const { add, db, issued, importFile, place, confirm } = await openTill();
    await importCodes(db, "AT", ["OTHER"], 0);
    const named = [
      "line 2: is empty",
      "line 3: is the same code as line 1",
      "line 4: has 200 characters: a code has at most 64",
      "line 5: must consist of letters, digits, - and _",
      "line 7: must consist of letters, digits, - and _",
      "line 8: must consist of letters, digits, - and _",
      "line 10: is a code of AT",
    ];
    const text = `${lines.join("\n")}\n`;
    const first = await pipeToCommand(text, storeVariables(place), "vouchers", "import", "-", "--site", "DE", "--json");
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toEqual({ added: 3, unchanged: 0, faults: named });
    expect(first.stderr.trim().split("\n").slice(-named.length)).toEqual(named);
    await expect(importFile(text)).rejects.toThrow(named.join("\n"));
    expect(await importFile("A-1\nC3\nD4")).toBe("1 added, 2 unchanged\n");
    for (const name of ["one", "two", "three", "four"]) await confirm(`${name}@shop.example`);
    expect((await issued()).toSorted()).toEqual(["A-1", "C3", "D4", "b_2"]);
    expect(await add(["A-1"])).toEqual(["unchanged"]);
  });

  it("is refused without a site of the shop, and without a file", async () => {
    const { place, store } = await openTill();
    const run = (...words: string[]) => runOnStore(store, ["vouchers", "import", "/nowhere", ...words]);
    await expect(run("--site", "XX")).rejects.toThrow("there is no site XX");
    await expect(run("--site", "DE")).rejects.toThrow("/nowhere: can't be read (ENOENT)");
    const misused = { code: 2, stdout: "", stderr: expect.stringContaining("--site <site>") };
    expect(await runCommand(storeVariables(place), "vouchers", "import", "/nowhere")).toEqual(misused);
  });

  it("counts codes as taken that subscribers of another store have", async () => {
    const { add, issued, place, confirm, left, look } = await openTill(["A", "B", "C"]);
    const at = "2026-10-01T10:00:00Z";
    const voucher = { discount: 10, singleUse: false, issuedAt: at, validUntil: null };
    const moved = ["A", "D"].map((code) => ({
      site: "DE",
      email: `${code.toLowerCase()}@shop.example`,
      status: "confirmed",
      confirmedAt: at,
      vouchers: [{ code, ...voucher }],
    }));
    const text = moved.map((line) => JSON.stringify(line)).join("\n");
    const { stdout } = await pipeToCommand(text, storeVariables(place), "subscribers", "import", "-");
    expect(stdout).toBe("2 added, 0 changed, 0 unchanged, 0 refused\n");
    expect(await add(["C", "D", "E"])).toEqual(["unchanged", "unchanged", "added"]);
    await look();
    expect(await left()).toBe(3);
    for (const name of ["one", "two", "three", "four"]) await confirm(`${name}@shop.example`);
    expect((await issued()).toSorted()).toEqual(["A", "B", "C", "D", "E"]);
  });
});
