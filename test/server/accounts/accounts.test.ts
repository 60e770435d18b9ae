import { describe, expect, it } from "vitest";
import {
  addAccount,
  findAccount,
  lockAccount,
  removeAccount,
  replacePasswordHash,
  setPassword,
  updateAccount,
} from "../../../server/accounts/accounts.ts";
import { callerWith, email, olderHashOf, openLogin, password, renewed, signIn } from "../../support/login-test.ts";
import { runOnStore } from "../../support/run-on-store.ts";
import { testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

const store = await openTestStore(testLogger);
const bench = await openLogin(store.db);
const { db, login } = bench;
const idOf = async (address: string) => (await findAccount(db, "customer", address))?.id ?? "";
const statusOf = async (address: string, secret: string) =>
  (await login.login({ email: address, password: secret }, callerWith())).status;

describe("an account", () => {
  it("is unique per address, in any spelling", async () => {
    expect(await addAccount(db, "customer", { email: " Ada@SHOP.example", password: "other password" })).toBe(false);
    expect(await statusOf(email, password)).toBe("success");
  });

  it("can't sign in while it is locked, which ends its sessions", async () => {
    const jar = await signIn(bench, { stayLoggedIn: true });
    const id = await idOf(email);
    await updateAccount(db, id, { locked: 1 });
    expect(await login.identify(callerWith(jar))).toBeUndefined();
    await lockAccount(db, id);
    expect(await statusOf(email, password)).toBe("unauthorized");
    await updateAccount(db, id, { locked: 0 });
    expect(await statusOf(email, password)).toBe("success");
    expect((await renewed(bench, jar)).status).toBe("ended");
  });

  it("loses its sessions when it is removed", async () => {
    await addAccount(db, "customer", { email: "gone@shop.example", password });
    const jar = await signIn(bench, { email: "gone@shop.example" });
    await removeAccount(db, await idOf("gone@shop.example"));
    expect(await login.identify(callerWith(jar))).toBeUndefined();
  });

  it("accepts its password however a keyboard composes it, and in no other spelling", async () => {
    const address = "zurich@shop.example";
    await addAccount(db, "customer", { email: address, password: "Z\u00fcrich, bitte" });
    expect(await statusOf(address, "Zu\u0308rich, bitte")).toBe("success");
    for (const wrong of ["", " Z\u00fcrich, bitte", "z\u00fcrich, bitte"])
      expect(await statusOf(address, wrong), wrong).toBe("unauthorized");
  });

  it("has a salted hash of its password", async () => {
    await addAccount(db, "customer", { email: "twin@shop.example", password });
    const hashes = [];
    for (const address of [email, "twin@shop.example"])
      hashes.push((await findAccount(db, "customer", address))?.passwordHash);
    expect(new Set(hashes).size).toBe(2);
    for (const hash of hashes)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/);
  });
});

it("a password that is set while the previous one gets a new hash stays", async () => {
  const account = await findAccount(db, "customer", email);
  if (!account) throw new Error("the account is missing");
  await setPassword(db, account.id, "another password");
  await replacePasswordHash(db, account, olderHashOf(password));
  expect(await statusOf(email, "another password")).toBe("success");
  await setPassword(db, account.id, password);
});

describe("a customer's profile", () => {
  const known = async () => login.identify(callerWith(await signIn(bench)));
  const set = (address: string, ...options: string[]) => runOnStore(store, ["account", "set", address, ...options]);

  it("is what an operator sets; an option that isn't given stays, and an empty text removes", async () => {
    await set(email.toUpperCase(), "--salutation", "DIVERS", "--last-name", " O'Neil ", "--consents", "DNE");
    const profile = { email, salutation: "DIVERS", firstName: "Ada", lastName: "O'Neil", consents: ["DNE"] };
    expect(await known()).toEqual(profile);
    await set(email, "--consents", "NEWSLETTER,DNE,DNE");
    expect(await known()).toEqual({ ...profile, consents: ["NEWSLETTER", "DNE"] });
    await set(email, "--salutation", "", "--first-name", "", "--consents", "");
    expect(await known()).toEqual({ email, lastName: "O'Neil", consents: [] });
  });

  it.each([
    [
      [email, "--salutation", "SIR", "--first-name", "x.example", "--last-name", "x".repeat(41), "--consents", "dne"],
      ["--salutation must be one of", "--first-name is", "--last-name is", "--consents must be"],
    ],
    [[email], ["account set needs --salutation"]],
    [["nobody@shop.example", "--consents", "DNE"], ["nobody@shop.example has no account"]],
  ])("stays when an option is wrong, which is named: %j", async ([address = "", ...options], faults) => {
    const before = await known();
    await expect(set(address, ...options)).rejects.toMatchObject({
      faults: faults.map((fault) => expect.stringContaining(fault)),
    });
    expect(await known()).toEqual(before);
  });
});
