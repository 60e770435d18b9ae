import { parseSetCookie } from "cookie";
import { describe, expect, it, vi } from "vitest";
import { second } from "../../../../client/rules/time.ts";
import { customerAccounts } from "../../../../server/shop/login/customer-accounts.ts";
import { callerWith, email, openLogin, password, signIn } from "../../../support/login-test.ts";

vi.setConfig({ testTimeout: 30_000 });

const bench = await openLogin();
const { db, login } = bench;
const bea = "bea@shop.example";
await customerAccounts.add(db, { email: bea, password });

/** Tries a password with a browser. */
async function tryWith(device: string | undefined, entered: string, address = email) {
  return login.login({ email: address, password: entered }, { ...callerWith(), device });
}

/** Tries the right password with a browser. */
async function enter(device?: string) {
  return (await tryWith(device, password)).status;
}

/** Signs somebody in; by what their browser is known then. */
async function knownAfter(address = email, device?: string): Promise<string> {
  const result = await tryWith(device, password, address);
  const cookies = result.status === "success" ? result.cookies.map((text) => parseSetCookie(text)) : [];
  return cookies.find(({ name }) => name === "KnownDevice")?.value ?? "";
}

/** Uses up the tries of the address, or of a browser for it. */
async function useUp(device?: string): Promise<void> {
  for (let i = 0; i < 5; i++) expect((await tryWith(device, "a guess")).status).toBe("unauthorized");
  expect(await enter(device)).toBe("rateLimited");
}

describe("a browser with which an owner has signed in", () => {
  it("has tries of its own, which are as few as those of the address", async () => {
    const device = await knownAfter();
    await useUp();
    await useUp(device);
    bench.pass(2 * second);
    expect([await enter(device), await enter(device), await enter()]).toEqual(["success", "success", "success"]);
  });

  it("gives strangers no new tries when its owner signs in", async () => {
    const device = await knownAfter();
    await useUp();
    const next = await knownAfter(email, device);
    expect(next).not.toBe(device);
    expect(await enter()).toBe("rateLimited");
    await useUp(next);
    expect(await enter(device), "another browser of the owner").toBe("success");
    bench.pass(2 * second);
    expect(await enter()).toBe("success");
  });

  it("is known for that account alone, and only by what it was given", async () => {
    const device = await knownAfter();
    const others = await knownAfter(bea);
    await useUp();
    const [id, signature] = device.split(".");
    for (const wrong of [others, "", ".", "x", `${device}=`, `${device}.`, `${id}.`, `.${signature}`, `x${device}`])
      expect(await enter(wrong), wrong).toBe("rateLimited");
    expect(await enter(device)).toBe("success");
    bench.pass(2 * second);
    expect(await enter()).toBe("success");
  });

  it("lets nobody in by that, and nobody reads the account from it", async () => {
    const device = await knownAfter();
    expect(await login.identify({ login: device, longterm: device })).toBeUndefined();
    expect(Buffer.from(device, "base64url").toString("latin1")).not.toMatch(/ada@/i);
    expect(device).not.toContain((await customerAccounts.find(db, email))?.id);
  });

  it("is known after the logout, too", async () => {
    const cookies = await login.logout(callerWith(await signIn(bench)));
    expect(cookies.join()).not.toContain("KnownDevice");
  });
});
