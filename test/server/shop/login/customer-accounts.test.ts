import { argon2Sync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { customerAccounts } from "../../../../server/shop/login/customer-accounts.ts";
import { seedDemoCustomer } from "../../../../server/shop/login/demo-customer.ts";
import { callerWith, email, openLogin, password, renewed, signIn } from "../../../support/login-test.ts";

const bench = await openLogin();
const { db, login } = bench;
const accountOf = async (address: string) => {
  const account = await customerAccounts.find(db, address);
  if (!account) throw new Error(`${address} has no account`);
  return account;
};
const statusOf = async (address: string, secret: string) =>
  (await login.login({ email: address, password: secret }, callerWith())).status;

describe("an account", () => {
  it("is one per address, however that is spelled", async () => {
    expect(await customerAccounts.add(db, { email: " Ada@SHOP.example", password: "other password" })).toBe(false);
    expect(await statusOf(email, password)).toBe("success");
  });

  it("that is locked lets nobody in, and ends what was begun, until it is unlocked", async () => {
    const jar = await signIn(bench, { stayLoggedIn: true });
    await customerAccounts.setLocked(db, await accountOf(email), true);
    expect(await login.identify({ login: jar.login })).toBeUndefined();
    expect((await renewed(bench, jar)).status).toBe("ended");
    expect(await statusOf(email, password)).toBe("unauthorized");
    await customerAccounts.setLocked(db, await accountOf(email), false);
    expect(await statusOf(email, password)).toBe("success");
    expect((await renewed(bench, jar)).status).toBe("ended");
  });

  it("takes its sessions with it when it is removed", async () => {
    await customerAccounts.add(db, { email: "gone@shop.example", password });
    const jar = await signIn(bench, { email: "gone@shop.example" });
    await customerAccounts.remove(db, await accountOf("gone@shop.example"));
    expect(await login.identify({ login: jar.login })).toBeUndefined();
    expect(await statusOf("gone@shop.example", password)).toBe("unauthorized");
  });

  it("gets its password hashed anew where that was done with other parameters", async () => {
    const account = await accountOf(email);
    const outdated = "$argon2id$v=19$m=19456,t=3,p=1$";
    await customerAccounts.keepHash(
      db,
      account,
      account.passwordHash.replace(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, outdated),
    );
    expect(await statusOf(email, password)).toBe("unauthorized");
    expect((await accountOf(email)).passwordHash.startsWith(outdated)).toBe(true);
    await customerAccounts.keepHash(db, await accountOf(email), olderHashOf(password));
    expect(await statusOf(email, password)).toBe("success");
    expect((await accountOf(email)).passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await statusOf(email, password)).toBe("success");
  });

  it("keeps a password that is set while the one before is hashed anew", async () => {
    const account = await accountOf(email);
    await customerAccounts.setPassword(db, account, "another password");
    await customerAccounts.keepHash(db, account, olderHashOf(password));
    expect(await statusOf(email, "another password")).toBe("success");
    await customerAccounts.setPassword(db, account, password);
  });
});

function olderHashOf(text: string): string {
  const nonce = Buffer.from("0123456789abcdef");
  const hash = argon2Sync("argon2id", { message: text, nonce, parallelism: 1, tagLength: 32, memory: 1024, passes: 1 });
  return `$argon2id$v=19$m=1024,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$${hash.toString("base64").replace(/=+$/, "")}`;
}

describe("the demo's customer", () => {
  const demo = "demo@example.com";

  it("gets the password of the first start, and keeps it", async () => {
    expect(await seedDemoCustomer(db, "first password", false)).toBe(true);
    expect(await seedDemoCustomer(db, "second password", false)).toBe(false);
    expect(await statusOf(demo, "first password")).toBe("success");
    const jar = await signIn(bench, { email: demo, password: "first password" });
    expect(await login.identify({ login: jar.login })).toEqual({
      ...{ email: demo, salutation: "MRS", firstName: "Erika", lastName: "Mustermann", consents: [] },
    });
  });

  it("gets one that is given later, which ends what was begun with the old one", async () => {
    const jar = await signIn(bench, { email: demo, password: "first password" });
    expect(await seedDemoCustomer(db, "given password", true)).toBe(true);
    expect(await statusOf(demo, "first password")).toBe("unauthorized");
    expect(await login.identify({ login: jar.login })).toBeUndefined();
    const kept = await signIn(bench, { email: demo, password: "given password" });
    expect(await seedDemoCustomer(db, "given password", true)).toBe(true);
    expect(await login.identify({ login: kept.login })).toMatchObject({ email: demo });
  });
});
