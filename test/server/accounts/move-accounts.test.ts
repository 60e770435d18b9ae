import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { addAccount, findAccount, lockAccount, setPassword } from "../../../server/accounts/accounts.ts";
import { olderHashOf, password } from "../../support/login-test.ts";
import { call } from "../../support/preview-test.ts";
import { pipeToCommand, storeVariables } from "../../support/run-command.ts";
import { runOnStore } from "../../support/run-on-store.ts";
import { createTestApp, testLogger } from "../../support/test-app.ts";
import { createStorePlace, emptyTables, openTestStore } from "../../support/test-store.ts";
import { writeShop } from "../../support/write-shop.ts";

const place = await createStorePlace(emptyTables);
const store = await openTestStore(testLogger, place);
const { app } = await createTestApp({ store, trustProxy: ["loopback"] });

/** Imports lines into the store, as an operator does while the service runs. */
const importLines = (...lines: (string | object)[]) =>
  pipeToCommand(
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
    storeVariables(place),
    ...["accounts", "import", "-"],
  );

const done = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: "" });

/** The status of a login by the form's call. */
const loginStatus = async (email: string, entered: string) =>
  (await call(app, "/service/login/api/v1/login").send({ email, password: entered })).status;

const lineOf = (email: string, passwordHash: string) => ({ kind: "customer", email, passwordHash });

describe("accounts that are moved", () => {
  it("are the same in the other store, with their passwords", async () => {
    const source = await openTestStore(testLogger);
    const { db } = source;
    const profile = { salutation: "MRS" as const, firstName: "Ada", lastName: "O'Neil", consents: ["DNE" as const] };
    await addAccount(db, "customer", { email: "Ada@shop.example", password, ...profile });
    await addAccount(db, "customer", { email: "locked@shop.example", password });
    await lockAccount(db, (await findAccount(db, "customer", "locked@shop.example"))?.id ?? "");
    await addAccount(db, "staff", { email: "ada@shop.example", password: "another password", demo: true });

    const exported = await runOnStore(source, ["accounts", "export"], true);
    expect(await importLines(exported.trim())).toEqual(done("3 added, 0 changed, 0 unchanged, 0 refused"));
    const sorted = (lines: string) => lines.split("\n").toSorted();
    expect(sorted(await runOnStore(store, ["accounts", "export"]))).toEqual(sorted(exported));
    expect(await loginStatus("ada@shop.example", password)).toBe(200);
    expect(await loginStatus("ada@shop.example", "another password")).toBe(401);
    expect(await loginStatus("locked@shop.example", password)).toBe(401);
    const outsideDemo = { ...storeVariables(await createStorePlace(emptyTables)), DEMO: "off" };
    const { code, stdout } = await pipeToCommand(exported, outsideDemo, "accounts", "import", "-");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 added, 0 changed, 0 unchanged, 1 refused\nline \d: is a demo account\n$/);
  });

  it("stay as they are at another import, also after a new password", async () => {
    const line = lineOf("changed@shop.example", olderHashOf(password));
    await importLines(line);
    const account = await findAccount(store.db, "customer", line.email);
    await setPassword(store.db, account?.id ?? "", "another password");
    const again = { ...line, email: "CHANGED@shop.example", locked: true };
    expect(await importLines(again)).toEqual(done("0 added, 0 changed, 1 unchanged, 0 refused"));
    expect(await loginStatus(line.email, "another password")).toBe(200);
  });

  it.each([
    ["argon2id", olderHashOf(password), password],
    ["scrypt", scryptHashOf(password), password],
    ["scrypt of a password as it was typed", scryptHashOf("hunter² hunter²"), "hunter² hunter²"],
  ])("sign in with a hash by other parameters, which the login replaces: %s", async (name, passwordHash, entered) => {
    const email = `${name.replaceAll(" ", ".")}@shop.example`;
    const folder = await writeShop({ "accounts.jsonl": lineOf(email, passwordHash) });
    const added = done("1 added, 0 changed, 0 unchanged, 0 refused");
    const words = ["accounts", "import", `${folder}/accounts.jsonl`];
    expect(await pipeToCommand("", storeVariables(place), ...words)).toEqual(added);
    expect(await loginStatus(email, "wrong password")).toBe(401);
    expect(await loginStatus(email, entered)).toBe(200);
    expect((await findAccount(store.db, "customer", email))?.passwordHash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1/,
    );
    expect(await loginStatus(email, entered)).toBe(200);
  });

  it("are named by line where they are faulty, without their data, and the others are added", async () => {
    const right = lineOf("right@shop.example", olderHashOf(password));
    const { code, stdout, stderr } = await importLines(
      ...[right, "{", "", "[]", { ...right, email: "secret", firstName: "www.secret.example", secret: 1 }],
      lineOf("last@shop.example", right.passwordHash),
    );
    expect([code, stdout]).toEqual([1, "2 added, 0 changed, 0 unchanged, 0 refused\n"]);
    expect(stderr.trim().split("\n")).toEqual([
      "line 2: isn't valid JSON",
      "line 4: must be object",
      "line 5: /secret is not known",
      "line 5: /email must be an email address",
      "line 5: /firstName must be a name",
    ]);
  });

  it("are refused with hashes that can't be checked", async () => {
    const end = "$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg";
    const hashes = [
      "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
      `$argon2i$v=19$m=1024,t=3,p=2${end}`,
      `$argon2id$v=19$m=1048576,t=1,p=1${end}`,
      `$argon2id$v=19$m=8,t=1,p=2${end}`,
      `$scrypt$ln=30,r=8,p=1${end}`,
      `$scrypt$ln=0,r=8,p=0${end}`,
      `$scrypt$ln=0,r=64,p=1${end}`,
    ];
    const lines = hashes.map((hash, index) => lineOf(`refused${index}@shop.example`, hash));
    const { code, stderr } = await importLines(...lines);
    const faults = hashes.map((_, index) =>
      expect.stringMatching(new RegExp(`^line ${index + 1}: /passwordHash must be `)),
    );
    expect([code, stderr.trim().split("\n")]).toEqual([1, faults]);
    expect(await runOnStore(store, ["accounts", "export"])).not.toContain("refused");
  });

  it("are reported if their file can't be read", async () => {
    const { code, stderr } = await pipeToCommand("", storeVariables(place), "accounts", "import", "/nowhere");
    expect([code, stderr]).toEqual([1, "/nowhere: can't be read (ENOENT)\n"]);
  });
});

function scryptHashOf(text: string): string {
  const hash = scryptSync(text, "0123456789abcdef", 32, { N: 2 ** 14, r: 8, p: 1 });
  return `$scrypt$ln=14,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$${hash.toString("base64").replace(/=+$/, "")}`;
}
