import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
import { maxLine } from "../../../../../server/store/read-lines.ts";
import { callerOf, openNewsletter, signUp, signUpOf, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { pipeToCommand, storeVariables } from "../../../../support/run-command.ts";
import { runOnStore } from "../../../../support/run-on-store.ts";
import { testLogger } from "../../../../support/test-app.ts";
import { createStorePlace, emptyTables, openTestStore } from "../../../../support/test-store.ts";

// An idle machine needs a second for each command, a busy one many times that.

/** Commands run by the real clock, and refuse times after it. */
const startsAt = Date.now() - 30 * day;

/** A service on a store, into which an operator imports lines while it runs. */
async function openTarget() {
  const place = await createStorePlace(emptyTables);
  const store = await openTestStore(testLogger, place);
  const bench = await openNewsletter(store.db, { startsAt });
  const variables = storeVariables(place);
  /** Imports lines by the built program. */
  const pipeLines = (lines: readonly (string | object)[], ...options: string[]) =>
    pipeToCommand(textOf(lines), variables, "subscribers", "import", "-", ...options);
  /** Imports a file with lines by the command in this process, and returns its output. */
  const importLines = async (lines: readonly object[], options: readonly string[] = [], receiver = {}) => {
    const file = join(place.dataDir, "lines.jsonl");
    await writeFile(file, textOf(lines));
    return runOnStore(store, ["subscribers", "import", file, ...options], false, receiver);
  };
  const consentOf = async (email: string) => JSON.parse(await runOnStore(store, ["consent", "export", email]))[0];
  return { ...bench, bench, store, variables, pipeLines, importLines, consentOf };
}

const textOf = (lines: readonly (string | object)[]) =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

const exportAll = "subscribers export --proof --tokens --status pending,confirmed,withdrawn,refused,expired".split(" ");
const linesOf = (text: string) => text.trim().split("\n");
const said = (...lines: string[]) => `${lines.join("\n")}\n`;

const confirmedAt = new Date(startsAt - day).toISOString();
/** A subscriber of another service. */
const lineOf = (email: string, changes: object = {}) => ({
  site: "DE",
  email,
  status: "confirmed",
  confirmedAt,
  firstName: "Ada",
  consents: ["NEWSLETTER"],
  ...changes,
});

describe("subscribers who are moved", () => {
  it("are the same in the other store, with their proof, vouchers and tokens, and get no mail", async () => {
    const source = await openTestStore(testLogger);
    const from = await openNewsletter(source.db, { startsAt });
    const confirm = async (email: string, site: string) => {
      const token = await signUp(from, email, site);
      from.pass(day);
      await from.newsletter.confirm(token, callerOf(site));
      return token;
    };
    for (const site of ["DE", "TR"]) await confirm("Ada@shop.example", site);
    const gone = await confirm("gone@shop.example", "DE");
    from.pass(day);
    await from.newsletter.unsubscribe(gone, callerOf("DE"));
    const exported = await runOnStore(source, exportAll, true);
    const tokens = linesOf(exported).flatMap((line) => JSON.parse(line).token ?? []);
    expect(tokens).toHaveLength(2);
    for (const token of tokens) await from.newsletter.recordOpening(token);
    await signUp(from, "pending@shop.example");
    const lines = linesOf(await runOnStore(source, exportAll, true));

    const target = await openTarget();
    // Tokens stay valid under another secret.
    target.variables.SECRET_KEY = Buffer.alloc(32, "other").toString("base64");
    const refusal = `line ${1 + lines.findIndex((line) => line.includes("pending@"))}: isn't confirmed`;
    const done = (counts: string) => ({ code: 0, stdout: said(counts, refusal), stderr: "" });
    expect(await target.pipeLines(lines)).toEqual(done("3 added, 0 changed, 0 unchanged, 1 refused"));
    expect(await target.pipeLines(lines)).toEqual(done("0 added, 0 changed, 3 unchanged, 1 refused"));
    const moved = linesOf(await runOnStore(target.store, exportAll, true));
    expect(moved.toSorted()).toEqual(lines.filter((line) => !line.includes("pending@")).toSorted());
    expect(moved.join()).toMatch(/"vouchers":\[\{"code":"\w{12}".*"text":"[^"]{200}/);
    expect(await target.db.selectFrom("mailOutbox").select("id").execute()).toEqual([]);
    expect(await target.db.selectFrom("newsletterEvent").select("id").execute()).toEqual([]);
    target.pass(7 * day);
    for (const token of tokens)
      expect(await target.newsletter.unsubscribe(token, callerOf("DE"))).toEqual({ status: "ended" });
    // The register of Türkiye learns what it doesn't know yet.
    const entries = JSON.parse(await runOnStore(target.store, ["iys", "export"], true));
    expect(entries.map(({ status }: { status: string }) => status)).toEqual(["ONAY", "RET"]);
  });

  it("are marked as imported in the proof of consent when they have none", async () => {
    const { importLines, consentOf, store } = await openTarget();
    const requested = { event: "requested", at: confirmedAt, declaration: { email: "unproven@shop.example" } };
    await importLines(
      [lineOf("bare@shop.example"), lineOf("unproven@shop.example", { records: [requested] })],
      ["--note", "list of the old shop"],
    );
    const bare = await consentOf("bare@shop.example");
    expect(bare).toMatchObject({ state: "confirmed", confirmedAt, signedUpAt: confirmedAt });
    expect(bare.records).toEqual([
      expect.objectContaining({
        event: "imported",
        declaration: {
          email: "bare@shop.example",
          site: "DE",
          salutation: null,
          firstName: "Ada",
          lastName: null,
          consents: ["NEWSLETTER"],
          categories: [],
          origin: "NEWSLETTER",
          originAddition: null,
          note: "list of the old shop",
        },
      }),
    ]);
    const { records } = await consentOf("unproven@shop.example");
    expect(records.map(({ event }: { event: string }) => event)).toEqual(["requested", "imported"]);
    const page = await runOnStore(store, ["consent", "export", "bare@shop.example", "--html"]);
    expect(page).toMatch(/imported, \d{4}-.*list of the old shop/s);
  });

  it("aren't revived by a consent from before their end here, though a stranger signs them up, nor if suppressed", async () => {
    const { bench, newsletter, db, importLines, store } = await openTarget();
    const token = await signUp(bench, "Gone+tag@shop.example");
    await newsletter.confirm(token, callerOf("DE"));
    bench.pass(day);
    await newsletter.unsubscribe(token, callerOf("DE"));
    bench.pass(day);
    await signUp(bench, "gone@shop.example");
    await runOnStore(store, ["suppress", "never@shop.example"]);
    const emails = ["Gone+tag@shop.example", "gone@SHOP.example", "never@shop.example", "never+tag@shop.example"];
    expect(await importLines(emails.map((email) => lineOf(email)))).toEqual(
      said(
        "0 added, 0 changed, 0 unchanged, 4 refused",
        "line 1: has unsubscribed since, or refused a sign-up",
        "line 2: has unsubscribed since, or refused a sign-up",
        "line 3: is suppressed",
        "line 4: is suppressed",
      ),
    );
    const later = { confirmedAt: new Date(bench.now()).toISOString() };
    const lines = [lineOf("gone@shop.example", { site: "AT" }), lineOf("gone@shop.example", later)];
    expect(await importLines(lines)).toEqual(said("1 added, 1 changed, 0 unchanged, 0 refused"));
    const rows = await db.selectFrom("newsletterSubscription").select(["site", "email", "state"]).execute();
    expect(rows.map(({ site, email, state }) => [site, email, state].join(" ")).toSorted()).toEqual([
      "AT gone@shop.example confirmed",
      "DE Gone+tag@shop.example withdrawn",
      "DE gone@shop.example confirmed",
    ]);
  });

  it("stay unsubscribed where another service says so, after a stranger's sign-up and housekeeping, too", async () => {
    const { bench, newsletter, importLines, db } = await openTarget();
    const withdrawn = { status: "withdrawn", changedAt: new Date(startsAt - day).toISOString() };
    const { confirmedAt: _, ...ended } = lineOf("gone@shop.example", withdrawn);
    expect(await importLines([ended])).toEqual(said("1 added, 0 changed, 0 unchanged, 0 refused"));
    await newsletter.subscribe(signUpOf("gone@shop.example"), callerOf("DE"));
    bench.pass(400 * day);
    await newsletter.cleanUp();
    expect(await subscriptionOf(db, "gone@shop.example")).toMatchObject({ state: "withdrawn" });
    const old = { confirmedAt: new Date(startsAt - 2 * day).toISOString() };
    expect(await importLines([lineOf("gone+tag@shop.example", old)])).toContain("1 refused");
  });

  it("count by the latest of several lines of a mailbox", async () => {
    const { importLines } = await openTarget();
    const withdrawn = { status: "withdrawn", changedAt: new Date(startsAt).toISOString() };
    const lines = [lineOf("ada+tag@shop.example", withdrawn), lineOf("ada@shop.example")];
    expect(await importLines(lines)).toContain("1 added, 0 changed, 0 unchanged, 1 refused");
  });

  it("of an earlier release, which stored no mailboxes, aren't revived either", async () => {
    const { bench, newsletter, importLines, db } = await openTarget();
    await newsletter.unsubscribe(await signUp(bench, "gone+tag@shop.example"), callerOf("DE"));
    await db.updateTable("newsletterSubscription").set({ mailbox: null }).execute();
    expect(await importLines([lineOf("gone@shop.example")])).toContain("1 refused");
  });

  it("end a subscription here by a later withdrawal only, and confirm a sign-up", async () => {
    const { bench, newsletter, db, importLines, consentOf } = await openTarget();
    for (const name of ["ended", "stays", "Other"])
      await newsletter.confirm(await signUp(bench, `${name}@shop.example`), callerOf("DE"));
    const link = await signUp(bench, "waits@shop.example");
    const withdrawn = (email: string, at: number) =>
      lineOf(email, { status: "withdrawn", changedAt: new Date(at).toISOString() });
    const { records } = await consentOf("ended@shop.example");
    const receiver = {
      NEWSLETTER_WEBHOOK_URL: "https://receiver.example",
      NEWSLETTER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`,
    };
    const lines = [
      { ...withdrawn("ended@shop.example", bench.now() + day), records },
      withdrawn("stays@shop.example", bench.now() - day),
      lineOf("waits@shop.example", { lastName: "Lovelace" }),
      withdrawn("other@shop.example", bench.now() + day),
    ];
    expect(await importLines(lines, [], receiver)).toBe(said("0 added, 3 changed, 1 unchanged, 0 refused"));
    expect(await importLines(lines, [], receiver)).toBe(said("0 added, 0 changed, 4 unchanged, 0 refused"));
    expect(await subscriptionOf(db, "ended@shop.example")).toMatchObject({ state: "withdrawn", firstName: null });
    expect((await consentOf("ended@shop.example")).records).toEqual([
      ...records,
      expect.objectContaining({ event: "withdrawn", at: new Date(bench.now() + day).toISOString() }),
    ]);
    expect(await subscriptionOf(db, "stays@shop.example")).toMatchObject({ state: "confirmed", firstName: "Ada" });
    expect(await subscriptionOf(db, "waits@shop.example")).toMatchObject({ state: "confirmed", lastName: "Lovelace" });
    expect(await newsletter.confirm(link, callerOf("DE"))).toMatchObject({ status: "subscribed" });
    // The webhook hears of the end alone.
    const events = await db.selectFrom("newsletterEvent").select("data").execute();
    const ends = events.map(({ data }) => JSON.parse(data)).map(({ email, status }) => [email, status]);
    expect(ends.toSorted()).toEqual([
      ["Other@shop.example", "UNSUBSCRIBED"],
      ["ended@shop.example", "UNSUBSCRIBED"],
    ]);
  });

  it("are named by line where they are faulty, without their data, and the others are added", async () => {
    const { pipeLines } = await openTarget();
    const { confirmedAt: _, ...unconfirmed } = lineOf("secret@shop.example");
    const { code, stdout, stderr } = await pipeLines(
      [
        lineOf("first@shop.example"),
        '{"secret',
        lineOf("secret@shop.example", { site: "XX" }),
        unconfirmed,
        lineOf("secret@shop.example", { status: "withdrawn" }),
        lineOf("secret", { firstName: "www.secret.example", confirmedAt: "secret" }),
        '{"site":"DE","email":"secret@shop.example"}',
        lineOf("secret@shop.example", { confirmedAt: new Date(Date.now() + minute).toISOString() }),
        lineOf("last@shop.example"),
        lineOf("LAST@shop.example"),
      ],
      "--json",
    );
    const faults = [
      "line 2: isn't valid JSON",
      expect.stringMatching(/^line 3: \/site must be one of AT, .*DE/),
      "line 4: /confirmedAt is missing",
      "line 5: /changedAt is missing",
      "line 6: /email must be an email address",
      "line 6: /firstName must be a name",
      expect.stringMatching(/^line 6: \/confirmedAt must be an ISO 8601 time/),
      "line 7: /status is missing",
      expect.stringMatching(/^line 8: \/confirmedAt .*not in the future$/),
    ];
    expect([code, linesOf(stderr)]).toEqual([1, faults]);
    expect(JSON.parse(stdout)).toEqual({ added: 2, changed: 0, unchanged: 1, refused: 0, refusals: [], faults });
    expect(stderr).not.toContain("secret");
  });

  it("are taken from a file that is damaged or of another kind, whose faults are named within bounds", async () => {
    const { variables } = await openTarget();
    const bytesOf = (email: string) => Buffer.from(JSON.stringify(lineOf(email)));
    const damaged = Buffer.concat([
      bytesOf("first@shop.example").subarray(0, -9),
      Buffer.from([0xc3]),
      Buffer.from('"}'),
    ]);
    const lines = [
      bytesOf("first@shop.example"),
      damaged,
      Buffer.alloc(maxLine + 1, "x"),
      ...Array.from({ length: 100 }, () => Buffer.from(`{"\\u001b[2J${"secret".repeat(100)}":1}`)),
      bytesOf("last@shop.example"),
    ];
    const file = Buffer.concat(lines.map((line) => Buffer.concat([line, Buffer.from("\n")])));
    const { code, stdout, stderr } = await pipeToCommand(file, variables, "subscribers", "import", "-");
    expect([code, stdout]).toEqual([1, "2 added, 0 changed, 0 unchanged, 0 refused\n"]);
    const faults = linesOf(stderr);
    expect(faults.slice(0, 2)).toEqual(["line 2: isn't valid UTF-8", `line 3: is longer than ${maxLine} bytes`]);
    // Four faults each: three fields are missing.
    expect([faults.length, faults.at(-1)]).toEqual([101, "and 302 more"]);
    expect(Math.max(...faults.map((fault) => fault.length))).toBeLessThan(250);
    expect(stderr).not.toContain("\u001b");
  });
});
