import { describe, expect, it } from "vitest";
import { minute } from "../../../client/rules/time.ts";
import {
  addAccount,
  findAccount,
  lockAccount,
  removeAccount,
  replacePasswordHash,
  setPassword,
  updateAccount,
} from "../../../server/accounts/accounts.ts";
import { setCustomer } from "../../../server/accounts/customer-profile.ts";
import { endSessions, extendSession, findSession, startSession } from "../../../server/accounts/sessions.ts";
import {
  callerWith,
  email,
  olderHashOf,
  openLogin,
  pass,
  password,
  renewed,
  signIn,
} from "../../support/login-test.ts";

const bench = await openLogin();
const { db, login } = bench;
const accountOf = async (address: string) => {
  const account = await findAccount(db, "customer", address);
  if (!account) throw new Error(`${address} has no account`);
  return account;
};
const statusOf = async (address: string, secret: string) =>
  (await login.login({ email: address, password: secret }, callerWith())).status;
/** The start of a hash with today's parameters. */
const current = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/;

describe("an account", () => {
  it("is unique per address, in any spelling", async () => {
    expect(await addAccount(db, "customer", { email: " Ada@SHOP.example", password: "other password" })).toBe(false);
    expect(await statusOf(email, password)).toBe("success");
  });

  it("can't sign in while it is locked, which ends its sessions", async () => {
    const jar = await signIn(bench, { stayLoggedIn: true });
    const { id } = await accountOf(email);
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
    await removeAccount(db, (await accountOf("gone@shop.example")).id);
    expect(await login.identify(callerWith(jar))).toBeUndefined();
    expect(await statusOf("gone@shop.example", password)).toBe("unauthorized");
  });
});

describe("a session", () => {
  it("is found for its own kind of accounts, until it ends", async () => {
    const { id } = await startSession(db, (await accountOf(email)).id);
    expect(await findSession(db, "customer", id)).toMatchObject({ id, email });
    expect(await findSession(db, "staff", id)).toBeUndefined();
    pass(30 * minute);
    expect(await findSession(db, "customer", id)).toBeUndefined();
  });

  it("isn't extended when it has ended meanwhile", async () => {
    const session = await startSession(db, (await accountOf(email)).id);
    pass(minute);
    expect(await extendSession(db, session)).toMatchObject({ expiresAt: session.expiresAt + minute });
    await endSessions(db, [session.id]);
    expect(await extendSession(db, session)).toBeUndefined();
  });
});

describe("a password", () => {
  it("is accepted however a keyboard composes it, and in no other spelling", async () => {
    const address = "zurich@shop.example";
    await addAccount(db, "customer", { email: address, password: "Z\u00fcrich, bitte" });
    expect(await statusOf(address, "Zu\u0308rich, bitte")).toBe("success");
    for (const wrong of ["", " Z\u00fcrich, bitte", "z\u00fcrich, bitte"])
      expect(await statusOf(address, wrong), wrong).toBe("unauthorized");
  });

  it("has a hash of its own", async () => {
    await addAccount(db, "customer", { email: "twin@shop.example", password });
    const hashes = [(await accountOf(email)).passwordHash, (await accountOf("twin@shop.example")).passwordHash];
    for (const hash of hashes) expect(hash).toMatch(current);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it("gets a new hash at a login when the old one has other parameters", async () => {
    await updateAccount(db, (await accountOf(email)).id, { passwordHash: olderHashOf(password) });
    expect(await statusOf(email, "wrong password")).toBe("unauthorized");
    expect((await accountOf(email)).passwordHash).toBe(olderHashOf(password));
    expect(await statusOf(email, password)).toBe("success");
    expect((await accountOf(email)).passwordHash).toMatch(current);
    expect(await statusOf(email, password)).toBe("success");
  });

  it("stays when it is set while the previous one gets a new hash", async () => {
    const account = await accountOf(email);
    await setPassword(db, account.id, "another password");
    await replacePasswordHash(db, account, olderHashOf(password));
    expect(await statusOf(email, "another password")).toBe("success");
    await setPassword(db, account.id, password);
  });
});

describe("a customer's profile", () => {
  const known = async () => login.identify(callerWith(await signIn(bench)));
  const set = (options: object, address = email) => setCustomer(db, address, options);

  it("is what an operator sets; an option that isn't given stays, and an empty text removes", async () => {
    await set({ salutation: "DIVERS", lastName: " O'Neil ", consents: "DNE" }, email.toUpperCase());
    const profile = { email, salutation: "DIVERS", firstName: "Ada", lastName: "O'Neil", consents: ["DNE"] };
    expect(await known()).toEqual(profile);
    await set({ consents: "NEWSLETTER,DNE,DNE" });
    expect(await known()).toEqual({ ...profile, consents: ["NEWSLETTER", "DNE"] });
    await set({ salutation: "", firstName: "", consents: "" });
    expect(await known()).toEqual({ email, lastName: "O'Neil", consents: [] });
  });

  it.each([
    [
      { salutation: "SIR", firstName: "x.example", lastName: "x".repeat(41), consents: "dne" },
      email,
      ["--salutation must be one of", "--first-name is", "--last-name is", "--consents must be"],
    ],
    [{}, email, ["account set needs --salutation"]],
    [{ consents: "DNE" }, "nobody@shop.example", ["nobody@shop.example has no account"]],
  ])("stays when an option is wrong, which is named: %j", async (options, address, faults) => {
    const before = await known();
    await expect(set(options, address)).rejects.toMatchObject({
      faults: faults.map((fault) => expect.stringContaining(fault)),
    });
    expect(await known()).toEqual(before);
  });
});
