import { argon2Sync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkPassword, dummyHash, hashPassword } from "../../../server/accounts/password-hash.ts";

const password = "Straße 7, bitte";

/** A hash as another library or other parameters would have made it. */
function olderHash(text: string): string {
  const nonce = Buffer.from("0123456789abcdef");
  const hash = argon2Sync("argon2id", { message: text, nonce, parallelism: 2, tagLength: 24, memory: 1024, passes: 3 });
  return `$argon2id$v=19$m=1024,t=3,p=2$MDEyMzQ1Njc4OWFiY2RlZg$${hash.toString("base64").replace(/=+$/, "")}`;
}

describe("the hash of a password", () => {
  it("matches its password alone, and differs each time", async () => {
    const [one, other] = [await hashPassword(password), await hashPassword(password)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/);
    expect(one).not.toBe(other);
    for (const hash of [one, other])
      expect(await checkPassword(password, hash)).toEqual({ right: true, outdated: false });
    for (const wrong of ["", ` ${password}`, password.toUpperCase(), "Strasse 7, bitte"])
      expect(await checkPassword(wrong, one)).toMatchObject({ right: false });
  });

  it("ignores how a keyboard composes the same text", async () => {
    expect(await checkPassword("Zu\u0308rich", await hashPassword("Z\u00fcrich"))).toMatchObject({ right: true });
  });

  it("is outdated with other parameters", async () => {
    expect(await checkPassword(password, olderHash(password))).toEqual({ right: true, outdated: true });
    expect(await checkPassword("wrong", olderHash(password))).toEqual({ right: false, outdated: true });
  });

  it("matches no password when it is the dummy", async () => {
    expect(await checkPassword("", dummyHash)).toEqual({ right: false, outdated: false });
  });
});
