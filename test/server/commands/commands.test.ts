import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { addAccount, findAccount } from "../../../server/accounts/accounts.ts";
import { openLogin, password, renewed, signIn } from "../../support/login-test.ts";
import { callerOf, openNewsletter, signUp } from "../../support/newsletter-test.ts";
import { pipeToCommand, runCommand } from "../../support/run-command.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore, testSecret } from "../../support/test-store.ts";

const place = await createStorePlace();
const bench = await openNewsletter((await openTestStore(testLogger, place)).db);
await bench.newsletter.confirm(await signUp(bench, "ada@shop.example", "TR"), callerOf("TR"));

const env = { DATA_DIR: place.dataDir, SECRET_KEY: testSecret.toString("base64") };
const run = (...words: string[]) => runCommand(env, ...words);
const runWith = (input: string, ...words: string[]) => pipeToCommand(input, env, ...words);
const jsonOf = async (...words: string[]) => JSON.parse((await run(...words)).stdout);

/** What a command that can't be done writes. */
const failed = (reason: string) => ({ code: 1, stdout: "", stderr: `${reason}\n` });

describe("an operator", () => {
  it("exports the proof of a consent, for programs and to print", async () => {
    const exported = await jsonOf("consent", "export", "ada@shop.example");
    expect(exported).toEqual([expect.objectContaining({ site: "TR", email: "ada@shop.example", state: "confirmed" })]);
    expect(await jsonOf("consent", "export", "ada@shop.example", "--site", "DE")).toEqual([]);
    const { stdout } = await run("consent", "export", "ada@shop.example", "--html");
    expect(stdout).toMatch(/^<!doctype html><html lang="en">.*ada@shop\.example/s);
    expect(await run("consent", "export", "a@shop.example", "--site", "XX")).toEqual(failed("there is no site XX"));
  });

  it("exports subscribers as CSV, or as an object of JSON per line", async () => {
    const exported = (...options: string[]) => run("subscribers", "export", ...options);
    const lines = async (...options: string[]) => (await exported(...options)).stdout.split(/\r?\n/);
    const [names, ada, end] = await lines();
    expect(names).toMatch(/^id,site,email,status,.*sendingStoppedAt$/);
    expect(ada).toMatch(/^[\w-]+,TR,ada@shop\.example,confirmed,MRS,Ada,Beispiel,NEWSLETTER,,/);
    expect(end).toBe("");
    expect((await lines("--tokens"))[1]).toMatch(/,[\w-]{32}$/);
    const [json = "", none] = await lines("--json", "--site", "TR", "--since", "2026-11-01T00:00:00Z");
    expect([JSON.parse(json).email, none]).toEqual(["ada@shop.example", ""]);
    expect(await lines("--json", "--status", "withdrawn,refused")).toEqual([""]);
    expect((await exported("--since", "yesterday")).stderr).toMatch(/^--since must be an ISO 8601 time/);
    expect(await exported("--proof")).toEqual(failed("--proof needs --json"));
    expect((await exported("--status", "gone")).stderr).toMatch(/^--status must be some of pending,/);
  });

  it("exports to the register once", async () => {
    expect(await jsonOf("iys", "export")).toHaveLength(1);
    expect(await jsonOf("iys", "export")).toEqual([]);
  });

  it("erases an address", async () => {
    // Another process reads the files: this one would lose its locks of the store when it closes them.
    const traces = () =>
      promisify(execFile)("grep", ["-rial", "ada@shop.example", place.dataDir]).then(
        ({ stdout }) => stdout,
        ({ code }) => code,
      );
    const none = 1;
    expect(await traces()).toMatch(/storefront/);
    expect(await jsonOf("erase", "ADA@shop.example")).toEqual({
      ...{ subscriptions: 1, mails: 2, mailFiles: 0, accounts: 0, keptForRegister: 1, keptForReceiver: 0 },
    });
    const withdrawal = expect.objectContaining({ recipient: "ada@shop.example", status: "RET" });
    expect(await jsonOf("iys", "export")).toEqual([withdrawal]);
    expect(await traces()).toBe(none);
  });

  it("suppresses an address that wants no mail, also when it is erased, until it is taken off", async () => {
    const isSuppressed = async (email: string) =>
      (await bench.suppression.find(bench.db, [email], Date.now())).has(email);
    expect((await run("suppress", " Dan+1@shop.example")).stdout).toBe("Dan+1@shop.example suppressed\n");
    await signUp(bench, "eve@shop.example");
    expect(await jsonOf("erase", "eve@shop.example", "--suppress")).toMatchObject({ mails: 1 });
    expect([await isSuppressed("dan@shop.example"), await isSuppressed("eve@shop.example")]).toEqual([true, true]);
    const unsuppress = () => run("unsuppress", "eve@shop.example", "--json");
    expect(JSON.parse((await unsuppress()).stdout)).toEqual({ message: "eve@shop.example unsuppressed" });
    expect(await isSuppressed("eve@shop.example")).toBe(false);
    expect(await unsuppress()).toEqual(failed("eve@shop.example isn't suppressed"));
    expect(await run("erase", "dan", "--suppress")).toEqual(failed("dan isn't an email address"));
  });

  it.each([
    ["account", "customer", "has an account", "has no account"],
    ["staff", "staff", "is a member of staff", "is no member of staff"],
  ] as const)("adds, locks, unlocks and removes with %s", async (group, kind, known, unknown) => {
    const address = "Bea@shop.example";
    const isLocked = async () => (await findAccount(bench.db, kind, address))?.locked;
    const added = { code: 0, stdout: `${address} added\n`, stderr: "" };
    expect(await runWith(`${password}\n`, group, "add", address)).toEqual(added);
    expect(await runWith(password, group, "add", "bea@shop.example")).toEqual(failed(`bea@shop.example ${known}`));
    expect((await run(group, "lock", "bea@shop.example")).stdout).toMatch(/^Bea@shop.example locked/);
    expect(await isLocked()).toBe(1);
    expect((await run(group, "unlock", address)).stdout).toBe(`${address} unlocked\n`);
    expect(await isLocked()).toBe(0);
    expect((await run(group, "remove", address)).stdout).toBe(`${address} removed\n`);
    expect(await isLocked()).toBeUndefined();
    expect(await run(group, "lock", address)).toEqual(failed(`${address} ${unknown}`));
  });

  it("sets a password, which signs out everywhere", async () => {
    const customers = await openLogin(bench.db);
    const address = "dora@shop.example";
    await addAccount(bench.db, "customer", { email: address, password });
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

  it("ends the sessions of an account, or of all of a kind", async () => {
    const customers = await openLogin(bench.db);
    const address = "fay@shop.example";
    await addAccount(bench.db, "customer", { email: address, password });
    const [fay, ada] = [await signIn(customers, { email: address }), await signIn(customers, { stayLoggedIn: true })];
    expect((await run("account", "sign-out", address)).stdout).toBe(`${address} signed out everywhere\n`);
    expect((await renewed(customers, fay)).status).toBe("ended");
    expect((await run("staff", "sign-out-all")).stdout).toBe("all members of staff signed out everywhere\n");
    const { status, jar } = await renewed(customers, ada);
    expect(status).toBe("renewed");
    const { stdout, stderr } = await run("account", "sign-out-all");
    expect(stdout).toBe("all customers signed out everywhere\n");
    expect(JSON.parse(stderr)).toMatchObject({ event: "authn_token_revoked", kind: "customer" });
    expect((await renewed(customers, jar)).status).toBe("ended");
  });

  it("adds no account with a wrong address or password", async () => {
    expect(await runWith(password, "account", "add", "bea")).toEqual(failed("bea isn't an email address"));
    for (const wrong of ["short", "x".repeat(257)]) {
      const { code, stderr } = await runWith(wrong, "account", "add", "cleo@shop.example");
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^the password must have 8 to 256 characters/)]);
    }
  });

  it("is asked for the password on a terminal, which doesn't show it", async () => {
    const command = `${process.execPath} dist/server/commands/main.js staff add gil@shop.example`;
    const terminal = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      env: { ...process.env, ...env },
    });
    let shown = "";
    terminal.stdout.setEncoding("utf8").on("data", (text) => {
      if (text.includes("Password: ")) terminal.stdin.write(`${password}\r`);
      shown += text;
    });
    const [code] = await once(terminal, "close");
    expect([code, shown]).toEqual([0, "Password: \r\ngil@shop.example added\r\n"]);
  });

  it.each([
    [[], ""],
    [["erase", "a@shop.example", "--force"], "error: unknown option '--force'"],
    [["suppress"], "error: missing required argument 'address'"],
    [["account", "sign-out-all", "ada@shop.example"], "error: too many arguments"],
  ])("gets the reason, the usage and exit code 2 for a command written wrongly: %j", async (words, reason) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^Usage: storefront-fragments /m)]);
    expect(stderr.startsWith(reason)).toBe(true);
  });

  it.each([
    [["mails", "lst"], "Did you mean `mails list`? --help lists all commands."],
    [["acount", "lok", "ada@shop.example"], "Did you mean `account lock`? --help lists all commands."],
    [["deliver"], "--help lists all commands."],
  ])("gets the nearest command for one that doesn't exist: %j", async (words, hint) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^error: unknown command '\w+'\n.*\n$/)]);
    expect(stderr.split("\n")[1]).toBe(hint);
  });

  it("gets the list of commands, and the options of one", async () => {
    const { code, stdout, stderr } = await run("--help");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Customers:\n {2}account add <address> .*^Staff:\n {2}staff add <address> /ms);
    expect((await run("staff", "--help")).stdout).not.toContain("erase");
    expect((await run("erase", "--help")).stdout).toMatch(
      /^Usage: storefront-fragments erase \[options\] <address>\n\n.*\n\nOptions:\n {2}--suppress .*\n {2}--json .*\n {2}-h, --help .*\n$/,
    );
  });
});
