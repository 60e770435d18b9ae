import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { addAccount, findAccount } from "../../../server/accounts/accounts.ts";
import { callerWith, openLogin, password, renewed, signIn } from "../../support/login-test.ts";
import { callerOf, openNewsletter, signUp, subscriptionOf } from "../../support/newsletter-test.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore, testSecret } from "../../support/test-store.ts";

const place = await createStorePlace();
const bench = await openNewsletter((await openTestStore(testLogger, place)).db);
await bench.newsletter.confirm(await signUp(bench, "ada@shop.example", "TR"), callerOf("TR"));

/** Runs a command as it was built, beside the service. */
async function run(...words: string[]) {
  return runWith("", ...words);
}

/** The same, with something piped in. */
async function runWith(input: string, ...words: string[]) {
  const options = { env: { DATA_DIR: place.dataDir, SECRET_KEY: testSecret.toString("base64") } };
  const running = promisify(execFile)(process.execPath, ["dist/server/commands/main.js", ...words], options);
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe("an operator", () => {
  it("exports the proof of a consent, for programs and to print", async () => {
    const exported = JSON.parse((await run("consent", "export", "ada@shop.example")).stdout);
    expect(exported).toEqual([expect.objectContaining({ site: "TR", email: "ada@shop.example", state: "confirmed" })]);
    expect(JSON.parse((await run("consent", "export", "ada@shop.example", "--site", "DE")).stdout)).toEqual([]);
    const { stdout } = await run("consent", "export", "ada@shop.example", "--html");
    expect(stdout).toMatch(/^<!doctype html><html lang="en">.*ada@shop\.example/s);
  });

  it("exports subscribers as CSV, or as an object of JSON per line", async () => {
    const lines = async (...options: string[]) =>
      (await run("subscribers", "export", ...options)).stdout.split(/\r?\n/);
    const [names, ada, end] = await lines();
    expect(names).toMatch(/^id,site,email,status,.*sendingStoppedAt$/);
    expect(ada).toMatch(/^[\w-]+,TR,ada@shop\.example,confirmed,MRS,Ada,Beispiel,NEWSLETTER,,/);
    expect(end).toBe("");
    expect((await lines("--tokens"))[1]).toMatch(/,[\w-]{32}$/);
    const [json = "", none] = await lines("--json", "--site", "TR", "--since", "2026-11-01T00:00:00Z");
    expect([JSON.parse(json).email, none]).toEqual(["ada@shop.example", ""]);
    expect(await lines("--json", "--status", "withdrawn,refused")).toEqual([""]);
    expect((await run("subscribers", "export", "--since", "yesterday")).stderr).toMatch(
      /^--since must be an ISO 8601 time/,
    );
    expect((await run("subscribers", "export", "--status", "gone")).stderr).toMatch(
      /^--status must be some of pending,/,
    );
  });

  it("exports to the register once", async () => {
    expect(JSON.parse((await run("iys", "export")).stdout)).toHaveLength(1);
    expect(JSON.parse((await run("iys", "export")).stdout)).toEqual([]);
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
    expect(JSON.parse((await run("erase", "ADA@shop.example")).stdout)).toEqual({
      ...{ subscriptions: 1, mails: 2, mailFiles: 0, accounts: 0, keptForRegister: 1, keptForReceiver: 0 },
    });
    expect(await subscriptionOf(bench.db, "ada@shop.example", "TR")).toBeUndefined();
    expect(JSON.parse((await run("iys", "export")).stdout)).toEqual([
      expect.objectContaining({ recipient: "ada@shop.example", status: "RET" }),
    ]);
    expect(await traces()).toBe(none);
  });

  it("suppresses an address that wants no mail, also when it is erased, until it is taken off", async () => {
    const isSuppressed = async (email: string) =>
      (await bench.suppression.find(bench.db, [email], Date.now())).has(email);
    expect((await run("suppress", " Dan+1@shop.example")).stdout).toBe("Dan+1@shop.example suppressed\n");
    await signUp(bench, "eve@shop.example");
    expect(JSON.parse((await run("erase", "eve@shop.example", "--suppress")).stdout)).toMatchObject({ mails: 1 });
    expect([await isSuppressed("dan@shop.example"), await isSuppressed("eve@shop.example")]).toEqual([true, true]);
    expect((await run("unsuppress", "eve@shop.example")).stdout).toBe("eve@shop.example unsuppressed\n");
    expect(await isSuppressed("eve@shop.example")).toBe(false);
    expect(await run("unsuppress", "eve@shop.example")).toMatchObject({
      ...{ code: 1, stderr: "eve@shop.example isn't suppressed\n" },
    });
    expect(await run("erase", "dan", "--suppress")).toMatchObject({ code: 1, stderr: "dan is no address\n" });
  });

  it("adds an account, locks and unlocks it, and removes it", async () => {
    const { db, login } = await openLogin(bench.db);
    const address = "Bea@shop.example";
    const statusOf = async () => (await login.login({ email: address, password }, callerWith())).status;
    expect(await runWith(`${password}\n`, "account", "add", address)).toEqual({
      ...{ code: 0, stdout: "Bea@shop.example added\n", stderr: "" },
    });
    expect(await statusOf()).toBe("success");
    expect(await runWith(password, "account", "add", "bea@shop.example")).toMatchObject({
      ...{ code: 1, stderr: "bea@shop.example has an account\n" },
    });
    expect((await run("account", "lock", "bea@shop.example")).stdout).toMatch(/^Bea@shop.example locked/);
    expect(await statusOf()).toBe("unauthorized");
    expect((await run("account", "unlock", address)).stdout).toBe("Bea@shop.example unlocked\n");
    expect(await statusOf()).toBe("success");
    expect((await run("account", "remove", address)).stdout).toBe("Bea@shop.example removed\n");
    expect(await findAccount(db, "customer", address)).toBeUndefined();
    expect(await run("account", "lock", address)).toMatchObject({ code: 1, stderr: `${address} has no account\n` });
  });

  it("sets what is known of a customer", async () => {
    const address = "gus@shop.example";
    await addAccount(bench.db, "customer", { email: address, password });
    const set = (...options: string[]) => run("account", "set", address, ...options);
    const names = ["--first-name", "Gus", "--last-name", "Beispiel"];
    const { stdout } = await set("--salutation", "MR", ...names, "--consents", "DNE");
    expect(stdout).toBe("gus@shop.example changed\n");
    const known = bench.db.selectFrom("account").select(["salutation", "firstName", "lastName", "consents"]);
    expect(await known.where("email", "=", address).execute()).toEqual([
      { salutation: "MR", firstName: "Gus", lastName: "Beispiel", consents: '["DNE"]' },
    ]);
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
    await expect(signIn(customers, { email: address })).rejects.toThrow("unauthorized");
    await signIn(customers, { email: address, password: "another password" });
    expect(await runWith("short", "account", "password", address)).toMatchObject({ code: 1, stdout: "" });
    expect(await runWith(password, "account", "password", "nobody@shop.example")).toMatchObject({
      ...{ code: 1, stderr: "nobody@shop.example has no account\n" },
    });
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
    await signIn(customers, { email: address });
  });

  it("adds no account with a wrong address or password", async () => {
    expect(await runWith(password, "account", "add", "bea")).toMatchObject({ code: 1, stderr: "bea is no address\n" });
    for (const wrong of ["", "short", "x".repeat(257)]) {
      const { code, stderr } = await runWith(wrong, "account", "add", "cleo@shop.example");
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^the password must have 8 to 256 characters/)]);
    }
  });

  it("adds a member of staff, locks and removes them", async () => {
    const address = "staff@shop.example";
    expect((await runWith(`${password}\n`, "staff", "add", address)).stdout).toBe(`${address} added\n`);
    expect(await runWith(password, "staff", "add", address)).toMatchObject({
      ...{ code: 1, stderr: `${address} is a member of staff\n` },
    });
    expect((await run("staff", "lock", address)).stdout).toMatch(/^staff@shop.example locked/);
    expect(await findAccount(bench.db, "staff", address)).toMatchObject({ locked: 1 });
    expect((await run("staff", "remove", address)).stdout).toBe(`${address} removed\n`);
    expect(await run("staff", "lock", address)).toMatchObject({
      ...{ code: 1, stderr: `${address} is no member of staff\n` },
    });
  });

  it("imports A/B tests, or gets the faults of the file", async () => {
    const file = join(place.dataDir, "shop.json");
    await writeFile(
      file,
      JSON.stringify({ abTests: [{ name: "t", groups: ["A"], validFrom: "2026-01-01T00:00:00Z" }] }),
    );
    expect((await run("import", file)).stdout).toBe("1 A/B tests and 0 promotions imported\n");
    await writeFile(file, "{}}");
    expect(await run("import", file)).toMatchObject({ code: 1, stdout: "", stderr: `${file}: is no JSON\n` });
  });

  it.each([
    [[]],
    [["account", "open", "a@shop.example"]],
    [["suppress"]],
    [["erase", "a@shop.example", "--force"]],
    [["account", "sign-out-all", "ada@shop.example"]],
  ])("gets the usage and exit code 2 for a command written wrongly: %j", async (words) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^Usage: operate /m)]);
  });

  it("gets the reason, too", async () => {
    expect((await run("mails", "lst")).stderr).toMatch(/^error: unknown command 'lst'/);
    expect((await run("erase", "a@shop.example", "--force")).stderr).toMatch(/^error: unknown option '--force'/);
  });

  it("gets the list of commands, and the options of one", async () => {
    const { code, stdout, stderr } = await run("--help");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ {2}account sign-out <address> /m);
    expect((await run("staff", "--help")).stdout).not.toContain("erase");
    expect((await run("erase", "--help")).stdout).toMatch(
      /^Usage: operate erase \[options\] <address>\n\n.*\n\nOptions:\n {2}--suppress .*\n {2}--json .*\n {2}-h, --help .*\n$/,
    );
  });

  it("gets a message as JSON on request", async () => {
    const { stdout } = await run("suppress", "hal@shop.example", "--json");
    expect(JSON.parse(stdout)).toEqual({ message: "hal@shop.example suppressed" });
  });

  it("gets an error for an unknown site", async () => {
    expect(await run("consent", "export", "a@shop.example", "--site", "XX")).toMatchObject({
      code: 1,
      stderr: "there is no site XX\n",
    });
  });
});
