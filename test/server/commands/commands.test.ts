import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hour } from "../../../client/rules/time.ts";
import { addAccount, findAccount } from "../../../server/accounts/accounts.ts";
import { createSenderTokens } from "../../../server/features/newsletter/embedded/sender-tokens.ts";
import { createOutbox, enqueueMails } from "../../../server/features/newsletter/mail/outbox.ts";
import { createOutput } from "../../../server/store/command.ts";
import { openLogin, password, renewed, signIn } from "../../support/login-test.ts";
import { callerOf, openNewsletter, signUp } from "../../support/newsletter-test.ts";
import { pipeToCommand, runCommand, storeVariables } from "../../support/run-command.ts";
import { collect, runOnStore } from "../../support/run-on-store.ts";
import { seedDemo } from "../../support/seed-demo.ts";
import { countries, testLogger, texts } from "../../support/test-app.ts";
import { createStorePlace, openTestStore, testKeys } from "../../support/test-store.ts";

const place = await createStorePlace();
const store = await openTestStore(testLogger, place);
const { db } = store;
const bench = await openNewsletter(db);
await bench.newsletter.confirm(await signUp(bench, "amy@shop.example", "TR"), callerOf("TR"));
const customers = await openLogin(db);

const asText = (...words: string[]) => runOnStore(store, words);
const asJson = async (...words: string[]) => JSON.parse(await runOnStore(store, words, true));

/** Runs a command in a process of its own. */
const run = (...words: string[]) => runCommand(storeVariables(place), ...words);
const runWith = (input: string, ...words: string[]) => pipeToCommand(input, storeVariables(place), ...words);
const failed = (reason: string) => ({ code: 1, stdout: "", stderr: `${reason}\n` });
/** What a command with a wrong argument leaves. */
const misused = (reason: string) => ({ code: 2, stdout: "", stderr: `${reason}\n` });

it("exports the proof of a consent, for programs and to print", async () => {
  const exported = await asJson("consent", "export", "amy@shop.example");
  expect(exported).toEqual([expect.objectContaining({ site: "TR", email: "amy@shop.example", state: "confirmed" })]);
  expect(await asJson("consent", "export", "amy@shop.example", "--site", "DE")).toEqual([]);
  const html = await asText("consent", "export", "amy@shop.example", "--html");
  expect(html).toMatch(/^<!doctype html><html lang="en">.*amy@shop\.example/s);
  const ofUnknownSite = ["consent", "export", "a@shop.example", "--site", "XX"];
  expect(await run(...ofUnknownSite)).toEqual(misused("there is no site XX"));
});

describe("subscribers export", () => {
  const lines = async (...options: string[]) => (await asText("subscribers", "export", ...options)).split(/\r?\n/);

  it("prints CSV, or an object of JSON per line", async () => {
    const [names, ada, end] = await lines();
    expect(names).toMatch(/^id,site,email,status,.*sendingStoppedAt$/);
    expect(ada).toMatch(/^[\w-]+,TR,amy@shop\.example,confirmed,MRS,Ada,Beispiel,NEWSLETTER,,/);
    expect(end).toBe("");
    const since = ["--site", "TR", "--since", "2026-11-01T00:00:00Z"];
    const [json = "", none] = (await runOnStore(store, ["subscribers", "export", ...since], true)).split("\n");
    expect([JSON.parse(json).email, none]).toEqual(["amy@shop.example", ""]);
  });

  it.each([
    [["--since", "yesterday"], /^--since must be an ISO 8601 time/],
    [["--status", "gone"], /^--status must be some of pending,/],
    [["--proof"], /^--proof needs --json$/],
  ])("is refused with wrong options: %j", async (options, fault) => {
    await expect(lines(...options)).rejects.toThrow(fault);
  });

  /**
   * Exports one subscriber with an id and some values.
   * @returns the line
   */
  async function lineOf(id: string, columns: object, ...options: string[]) {
    const none = { salutation: null, firstName: null, lastName: null, originAddition: null, lastOpenedAt: null };
    const times = { createdAt: 0, requestedAt: 0, changedAt: 0, confirmedAt: 0, sendingStoppedAt: null };
    const known = { id, site: "DE", email: "csv@shop.example", consents: "[]", categories: "[]", origin: "NEWSLETTER" };
    await db
      .insertInto("newsletterSubscription")
      .values({ ...known, ...none, ...times, state: "confirmed" as const, ...columns })
      .execute();
    const line = await asText("subscribers", "export", ...options);
    await db.deleteFrom("newsletterSubscription").where("id", "=", id).execute();
    return line;
  }

  it.each([
    [{ firstName: "Lovelace, Ada", lastName: 'the "first"' }, ',"Lovelace, Ada","the ""first""",'],
    [{ firstName: "two\nlines", consents: '["DNE","NEWSLETTER"]' }, ',"two\nlines",,"DNE,NEWSLETTER",'],
    [{ firstName: "=1+1", lastName: "+49" }, ",'=1+1,'+49,"],
    [{ firstName: "-1", lastName: "@sum" }, ",'-1,'@sum,"],
    [{ firstName: '=HYPERLINK("//x","y")' }, `,"'=HYPERLINK(""//x"",""y"")",`],
  ])("quotes cells and has no formulas: %j", async (columns, cells) => {
    expect(await lineOf("csv", columns)).toContain(`\r\ncsv,DE,csv@shop.example,confirmed,${cells}`);
  });

  it("has tokens as they are, also one that begins with a hyphen", async () => {
    const tokenOf = createSenderTokens(testKeys);
    const id = Array.from({ length: 5_000 }, (_, n) => `csv-${n}`).find((one) => tokenOf(one).startsWith("-")) ?? "";
    expect(await lineOf(id, {}, "--tokens")).toContain(`,${tokenOf(id)},`);
  });
});

it("lists the voucher codes that a checkout must accept", async () => {
  const issued = await db.selectFrom("voucher").select(["code", "discount"]).executeTakeFirstOrThrow();
  const unlimited = { singleUse: false, validUntil: null };
  const listed = { ...issued, site: "TR", ...unlimited, issuedAt: expect.stringMatching(/Z$/) };
  expect(await asJson("vouchers", "list")).toEqual([listed]);
  expect(await asJson("vouchers", "list", "--site", "SK")).toEqual([]);
  expect(await run("vouchers", "list", "--site", "XX")).toEqual(misused("there is no site XX"));
});

it("exports to the register once, erases an address, and leaves no trace of it on the disk", async () => {
  // Another process reads the files: closing them here would release this process's locks of the store.
  const traces = () =>
    promisify(execFile)("grep", ["-rial", "amy@shop.example", place.dataDir]).then(
      ({ stdout }) => stdout,
      ({ code }) => code,
    );
  const none = 1;
  expect(await asJson("iys", "export")).toHaveLength(1);
  expect(await asJson("iys", "export")).toEqual([]);
  expect(await traces()).toMatch(/storefront/);
  const { stdout } = await run("erase", "AMY@shop.example");
  expect(JSON.parse(stdout)).toEqual({
    subscriptions: 1,
    mails: 2,
    mailFiles: 0,
    accounts: 0,
    providerSessions: 0,
    keptForRegister: 1,
    keptForReceiver: 0,
  });
  const { stdout: withdrawals } = await run("iys", "export");
  expect(JSON.parse(withdrawals)).toEqual([expect.objectContaining({ recipient: "amy@shop.example", status: "RET" })]);
  expect(await traces()).toBe(none);
  const again = await run("erase", "amy@shop.example");
  expect([again.code, again.stderr]).toEqual([1, "nothing is stored about amy@shop.example\n"]);
});

it.each([
  [["erase", "amy"], "amy isn't an email address"],
  [["suppress", "amy@"], "amy@ isn't an email address"],
  [["mails", "list", "--state", "x"], "--state must be "],
  [["subscribers", "export", "--status", "foo"], "--status must be some of "],
  [["subscribers", "export", "--since", "gestern"], "--since must be an ISO 8601 time"],
  [["subscribers", "export", "--proof"], "--proof needs --json"],
])("takes a wrong argument as one, and does nothing: %j", async (words, reason) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(reason)]);
});

it("suppresses an address that wants no mail, also when it is erased, until it is taken off", async () => {
  const isSuppressed = async (email: string) => (await bench.suppression.find(db, [email], Date.now())).has(email);
  expect(await asText("suppress", " Dan+1@shop.example")).toBe("Dan+1@shop.example suppressed\n");
  await signUp(bench, "eve@shop.example");
  expect(await asJson("erase", "eve@shop.example", "--suppress")).toMatchObject({ mails: 1 });
  expect([await isSuppressed("dan@shop.example"), await isSuppressed("eve@shop.example")]).toEqual([true, true]);
  expect(await asJson("unsuppress", "eve@shop.example")).toEqual({ message: "eve@shop.example unsuppressed" });
  expect(await isSuppressed("eve@shop.example")).toBe(false);
  await expect(asText("unsuppress", "eve@shop.example")).rejects.toThrow("eve@shop.example isn't suppressed");
  await expect(asText("erase", "dan", "--suppress")).rejects.toThrow("dan isn't an email address");
});

it("lists waiting and failed mails, retries them, or drops them", async () => {
  const at = Date.now();
  const outbox = createOutbox(db);
  /** A mail with a token that nobody may read. */
  const addMail = (id: string, at: number) =>
    enqueueMails(db, [
      { id, kind: "welcome", site: "DE", recipient: `${id}@shop.example`, data: { unsubscribeToken: "SECRET" }, at },
    ]);
  await db.deleteFrom("mailOutbox").execute();
  for (const id of ["failed", "bounced"]) await addMail(id, at - hour);
  for (const mail of await outbox.lease(at, at + hour, 2)) {
    await outbox.end(mail, mail.id === "failed" ? "failed" : "bounced", at);
  }
  await addMail("waiting", at + hour);
  await addMail("under-way", at);
  await outbox.lease(at, at + hour, 1);

  const states = async (...options: string[]) => {
    const mails = await asJson("mails", "list", ...options);
    return Object.fromEntries(mails.map((mail: Record<string, string>) => [mail.id, mail.state]));
  };
  expect(await states()).toEqual({ failed: "failed", bounced: "failed", waiting: "waiting", "under-way": "waiting" });
  expect(await states("--state", "failed")).toEqual({ failed: "failed", bounced: "failed" });
  const listed = await asText("mails", "list");
  expect(listed).toMatch(/^id +kind +site +recipient +state +attempts +createdAt +nextAttemptAt\n/);
  expect(listed).not.toContain("SECRET");
  await expect(asText("mails", "list", "--state", "sent")).rejects.toThrow("--state must be waiting or failed");

  for (const id of ["bounced", "under-way"])
    await expect(asText("mails", "retry", id)).rejects.toThrow(`there is no mail ${id} to send`);
  expect(await asText("mails", "retry", "waiting")).toBe("waiting is sent within ten seconds\n");
  expect(await asText("mails", "retry-all")).toBe("1 mails are tried again\n");
  const due = await outbox.lease(Date.now(), at + hour, 9);
  expect(due.map(({ id }) => id).toSorted()).toEqual(["failed", "waiting"]);
  for (const mail of due) await outbox.postpone(mail, at + hour);

  await expect(asText("mails", "drop", "under-way")).rejects.toThrow("no queued or failed mail under-way");
  expect(await asJson("mails", "drop", "waiting")).toEqual({ message: "waiting dropped" });
  await expect(asText("mails", "retry", "waiting")).rejects.toThrow("there is no mail waiting to send");
});

it.each([
  ["account", "customer", "has an account", "has no account"],
  ["staff", "staff", "is a member of staff", "isn't a member of staff"],
] as const)("adds, locks, unlocks and removes with %s", async (group, kind, known, unknown) => {
  const address = "Bea@shop.example";
  const isLocked = async () => (await findAccount(db, kind, address))?.locked;
  const added = { code: 0, stdout: `${address} added\n`, stderr: "" };
  expect(await runWith(`${password}\n`, group, "add", address)).toEqual(added);
  expect(await runWith(password, group, "add", "bea@shop.example")).toEqual(failed(`bea@shop.example ${known}`));
  expect(await asText(group, "lock", "bea@shop.example")).toMatch(/^Bea@shop.example locked/);
  expect(await isLocked()).toBe(1);
  expect(await asText(group, "unlock", address)).toBe(`${address} unlocked\n`);
  expect(await isLocked()).toBe(0);
  expect(await asText(group, "remove", address)).toBe(`${address} removed\n`);
  expect(await isLocked()).toBeUndefined();
  await expect(asText(group, "lock", address)).rejects.toThrow(`${address} ${unknown}`);
});

it("lists the members of staff", async () => {
  await addAccount(db, "staff", { email: "Eve@shop.example", password });
  await addAccount(db, "staff", { email: "bob@shop.example", password, demo: true });
  expect(await asText("staff", "list")).toBe(
    "email             locked  demo\nbob@shop.example  false   true\nEve@shop.example  false   false\n",
  );
});

it("sets a password, which signs out everywhere", async () => {
  const address = "dora@shop.example";
  await addAccount(db, "customer", { email: address, password });
  const jar = await signIn(customers, { email: address });
  const { code, stdout, stderr } = await runWith("another password\n", "account", "password", "Dora@shop.example");
  expect([code, stdout]).toEqual([0, "dora@shop.example has a new password, and is signed out everywhere\n"]);
  expect(JSON.parse(stderr)).toMatchObject({ event: "authn_password_change", kind: "customer" });
  expect(stderr).not.toMatch(/dora|another/);
  expect((await renewed(customers, jar)).status).toBe("ended");
  await signIn(customers, { email: address, password: "another password" });
  const nobody = ["account", "password", "nobody@shop.example"];
  expect(await runWith(password, ...nobody)).toEqual(failed("nobody@shop.example has no account"));
});

it("lists the sessions of an account, and ends one of them, all of the account, or all of a kind", async () => {
  const address = "fay@shop.example";
  await addAccount(db, "customer", { email: address, password });
  expect(await asText("account", "sessions", address)).toBe("none\n");
  const first = await signIn(customers, { email: address });
  const [{ session, ...times }] = await asJson("account", "sessions", address);
  expect(Date.parse(times.endsAt) - Date.parse(times.startedAt)).toBe(12 * hour);
  const [second, ada] = [await signIn(customers, { email: address }), await signIn(customers, { stayLoggedIn: true })];
  const text = await asText("account", "sessions", address);
  expect(text.split("\n")).toHaveLength(4);
  for (const cookie of [first, second].flatMap((jar) => Object.values(jar))) expect(text).not.toContain(String(cookie));

  const unknown = ["account", "sign-out", address, "--session", "none"];
  await expect(asText(...unknown)).rejects.toThrow(`${address} has no session none`);
  expect(await asText("account", "sign-out", address, "--session", session)).toBe(
    `${address} signed out of one session\n`,
  );
  expect((await renewed(customers, first)).status).toBe("ended");
  const { status, jar } = await renewed(customers, second);
  expect(status).toBe("renewed");
  expect(await asText("account", "sign-out", address)).toBe(`${address} signed out everywhere\n`);
  expect((await renewed(customers, jar)).status).toBe("ended");

  expect(await asText("staff", "sign-out-all")).toBe("all members of staff signed out everywhere\n");
  const kept = await renewed(customers, ada);
  expect(kept.status).toBe("renewed");
  const { stdout, stderr } = await run("account", "sign-out-all");
  expect(stdout).toBe("all customers signed out everywhere\n");
  expect(JSON.parse(stderr)).toMatchObject({ event: "authn_token_revoked", kind: "customer" });
  expect((await renewed(customers, kept.jar)).status).toBe("ended");
});

it("adds no account with a wrong address or password", async () => {
  expect(await runWith(password, "account", "add", "bea")).toEqual(misused("bea isn't an email address"));
  for (const wrong of ["short", "x".repeat(257)]) {
    const { code, stderr } = await runWith(wrong, "account", "add", "cleo@shop.example");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^the password must have 8 to 256 characters/)]);
  }
});

it("asks for the password on a terminal, which doesn't show it", async () => {
  const command = `${process.execPath} dist/server/commands/main.js staff add gil@shop.example`;
  const terminal = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    env: { ...process.env, ...storeVariables(place) },
  });
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text) => {
    if (text.includes("Password: ")) terminal.stdin.write(`${password}\r`);
    shown += text;
  });
  const [code] = await once(terminal, "close");
  expect([code, shown]).toEqual([0, "Password: \r\ngil@shop.example added\r\n"]);
});

it("lists A/B tests and promotions", async () => {
  await seedDemo({ db, sites: countries.sites, texts });
  expect(await asJson("tests", "list")).toContainEqual({
    name: expect.any(String),
    groups: expect.arrayContaining([expect.any(String)]),
    validFrom: expect.stringMatching(/Z$/),
    validTo: null,
  });
  const promotions = await asJson("promotions", "list");
  expect(promotions).toContainEqual(expect.objectContaining({ site: "DE", key: "SHOP_FOOTER", test: null }));
});

it("prints no passwords or tokens", async () => {
  for (const name of ["mails list", "staff list", "tests list", "promotions list", "subscribers export"])
    for (const json of [false, true])
      expect(await runOnStore(store, name.split(" "), json), name).not.toMatch(
        /\$(argon2|scrypt)|passwordHash|SECRET|token/i,
      );
});

it("prints no line breaks or terminal commands from a value", async () => {
  const { stream, written: lines } = collect();
  await createOutput(stream, false).list([{ headline: "one\ntwo\u001b[2J", group: null }]);
  expect(lines).toEqual(["headline     group\none two [2J  -\n"]);
});

describe("a command line", () => {
  it.each([
    [[], ""],
    [["erase", "a@shop.example", "--force"], "error: unknown option '--force'"],
    [["suppress"], "error: missing required argument 'address'"],
    [["account", "sign-out-all", "ada@shop.example"], "error: too many arguments"],
  ])("that is written wrongly gets the reason, the usage and exit code 2: %j", async (words, reason) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^Usage: storefront-fragments /m)]);
    expect(stderr.startsWith(reason)).toBe(true);
  });

  it.each([
    [["mails", "lst"], "Did you mean `mails list`? "],
    [["acount", "lok", "ada@shop.example"], "Did you mean `account lock`? "],
    [["deliver"], ""],
  ])("of an unknown command gets the nearest one: %j", async (words, hint) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.replace(/^error: unknown command '\w+'\n/, "")).toBe(`${hint}--help lists all commands.\n`);
  });

  it("gets the list of commands, and the options of one", async () => {
    const { code, stdout, stderr } = await run("--help");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Customers:\n {2}account add <address> .*^Staff:\n {2}staff add <address> /ms);
    expect((await run("erase", "--help")).stdout).toMatch(
      /^Usage: storefront-fragments erase \[options\] <address>\n\n.*\n\nOptions:\n {2}--suppress .*\n {2}--json .*\n {2}-h, --help .*\n$/,
    );
  });
});
