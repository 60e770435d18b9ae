import { argon2Sync } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  addAccount,
  findAccount,
  lockAccount,
  removeAccount,
  replacePasswordHash,
  setPassword,
  unlockAccount,
} from "../../../server/accounts/accounts.ts";
import { callerWith, email, openLogin, password, renewed, signIn } from "../../support/login-test.ts";

const bench = await openLogin();
const { db, login } = bench;
const accountOf = async (address: string) => {
  const account = await findAccount(db, "customer", address);
  if (!account) throw new Error(`${address} has no account`);
  return account;
};
const statusOf = async (address: string, secret: string) =>
  (await login.login({ email: address, password: secret }, callerWith())).status;

describe("an account", () => {
  it("is unique per address, in any spelling", async () => {
    expect(await addAccount(db, "customer", { email: " Ada@SHOP.example", password: "other password" })).toBe(false);
    expect(await statusOf(email, password)).toBe("success");
  });

  it("can't sign in while it is locked, which ends its sessions", async () => {
    const jar = await signIn(bench, { stayLoggedIn: true });
    await lockAccount(db, (await accountOf(email)).id);
    expect(await login.identify({ login: jar.login })).toBeUndefined();
    expect((await renewed(bench, jar)).status).toBe("ended");
    expect(await statusOf(email, password)).toBe("unauthorized");
    await unlockAccount(db, (await accountOf(email)).id);
    expect(await statusOf(email, password)).toBe("success");
    expect((await renewed(bench, jar)).status).toBe("ended");
  });

  it("loses its sessions when it is removed", async () => {
    await addAccount(db, "customer", { email: "gone@shop.example", password });
    const jar = await signIn(bench, { email: "gone@shop.example" });
    await removeAccount(db, (await accountOf("gone@shop.example")).id);
    expect(await login.identify({ login: jar.login })).toBeUndefined();
    expect(await statusOf("gone@shop.example", password)).toBe("unauthorized");
  });

  it("gets a new hash at a login when the old one has other parameters", async () => {
    const account = await accountOf(email);
    const outdated = "$argon2id$v=19$m=19456,t=3,p=1$";
    await replacePasswordHash(
      db,
      account,
      account.passwordHash.replace(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, outdated),
    );
    expect(await statusOf(email, password)).toBe("unauthorized");
    expect((await accountOf(email)).passwordHash.startsWith(outdated)).toBe(true);
    await replacePasswordHash(db, await accountOf(email), olderHashOf(password));
    expect(await statusOf(email, password)).toBe("success");
    expect((await accountOf(email)).passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await statusOf(email, password)).toBe("success");
  });

  it("keeps a password that is set while the previous one gets a new hash", async () => {
    const account = await accountOf(email);
    await setPassword(db, account.id, "another password");
    await replacePasswordHash(db, account, olderHashOf(password));
    expect(await statusOf(email, "another password")).toBe("success");
    await setPassword(db, account.id, password);
  });
});

function olderHashOf(text: string): string {
  const nonce = Buffer.from("0123456789abcdef");
  const hash = argon2Sync("argon2id", { message: text, nonce, parallelism: 1, tagLength: 32, memory: 1024, passes: 1 });
  return `$argon2id$v=19$m=1024,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$${hash.toString("base64").replace(/=+$/, "")}`;
}
