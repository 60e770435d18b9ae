import { createHmac, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
import type { Session } from "../../../../../server/accounts/sessions.ts";
import { createTokens } from "../../../../../server/features/login/embedded/tokens.ts";
import { testKeys } from "../../../../support/test-store.ts";

const tokens = createTokens(testKeys);
const key = testKeys.signing("tokens for storefront");
const at = Date.UTC(2026, 10, 20, 10);
const session: Session = {
  ...{ id: "11111111-2222-4333-8444-555555555555", accountId: "66666666-7777-4888-8999-000000000000" },
  ...{ stay: 1, generation: 3, rotatedAt: null, expiresAt: at + 14 * day, endsAt: at + 90 * day },
};
const claims = { session: session.id, account: session.accountId, generation: 3 };

const encode = (value: object | string) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Signs whatever it is given with a key of ours, past the library. */
function forge(header: object, payload: object, secret: Uint8Array = key): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

/** Tokens of which none is good, from one that is. */
function mutationsOf(token: string): string[] {
  const [headerText = "", payloadText = "", signature = ""] = token.split(".");
  const header = decode(headerText);
  const payload = decode(payloadText);
  const flipped = numbers(token.length * 8).map((bit) => {
    const bytes = Buffer.from(token, "latin1");
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return bytes.toString("latin1");
  });
  const cut = numbers(token.length).flatMap((length) => [token.slice(0, length), token.slice(length + 1)]);
  const algorithms = ["none", "None", "", "HS384", "HS512", "RS256", "EdDSA", "ES256", null, 1, ["HS256"]];
  const otherAlgorithms = algorithms.flatMap((alg) =>
    [signature, "", encode(randomBytes(32).toString("latin1"))].map(
      (end) => `${encode({ ...header, alg })}.${payloadText}.${end}`,
    ),
  );
  const wrongHeaders = [
    ...[undefined, "JWT", "at+jwt", "login-clock+jwt", 1].map((typ) => ({ ...header, typ })),
    { ...header, crit: ["b64"], b64: false },
    { ...header, crit: ["exp"] },
  ];
  const wrongClaims = [
    ...["iss", "aud", "sub", "jti", "iat", "exp", "sid", "gen"].map((name) => ({ ...payload, [name]: undefined })),
    ...[1, [], {}, "", "0", "x", null].flatMap((value) =>
      ["iss", "aud", "exp", "iat"].map((name) => ({ ...payload, [name]: value })),
    ),
    ...[{ sub: 1 }, { sid: 1 }, { sid: {} }, { gen: "3" }, { gen: null }, { iss: "other" }, { aud: "other" }].map(
      (change) => ({ ...payload, ...change }),
    ),
    { ...payload, exp: at / 1000 - 60 },
    { ...payload, iat: at / 1000 + 60 },
    { ...payload, iat: at / 1000 - 15 * 24 * 3600 },
    { ...payload, nbf: at / 1000 + 60 },
  ];
  const otherKey = numbers(100).map(() => forge(header, payload, randomBytes(32)));
  const forged = [
    ...wrongHeaders.map((wrong) => forge(wrong, payload)),
    ...wrongClaims.map((wrong) => forge(header, wrong)),
    ...["null", "[]", '"text"', "{", "1", '{"exp":1e999}'].map((text) => {
      const end = `${headerText}.${encode(text)}`;
      return `${end}.${createHmac("sha256", key).update(end).digest("base64url")}`;
    }),
  ];
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const respelled = [...alphabet].map((last) => token.slice(0, -1) + last).filter((other) => other !== token);
  const strange = [
    `${token}=`,
    `${token} `,
    `${token}\n`,
    `${token}\0`,
    ` ${token}`,
    token.replaceAll(".", ". "),
    "",
    ".",
    "..",
    "...",
    `${token}.`,
    `.${token}`,
    `${token}.${token}`,
    " ",
    "\0",
    "é".repeat(99),
  ];
  const huge = [
    "a".repeat(1e6),
    `${"a".repeat(1e6)}.b.c`,
    ".".repeat(1e6),
    `${headerText}.${"A".repeat(1e6)}.${signature}`,
  ];
  return [...respelled, ...flipped, ...cut, ...otherAlgorithms, ...otherKey, ...forged, ...strange, ...huge];
}

describe("a token", () => {
  it("says what it was made with, until it expires", async () => {
    const login = await tokens.signLogin(session, at);
    expect(await tokens.readLogin(login, at + 13 * day)).toEqual(claims);
    expect(await tokens.readLogin(login, at + 14 * day + minute)).toBeUndefined();
    const longterm = await tokens.signLongterm(session, at);
    expect(await tokens.readLongterm(longterm, at)).toEqual(claims);
  });

  it("is good for nothing but its purpose", async () => {
    const clock = await tokens.signClock(session, at + minute);
    const [login, longterm] = [await tokens.signLogin(session, at), await tokens.signLongterm(session, at)];
    for (const wrong of [clock, longterm]) expect(await tokens.readLogin(wrong, at)).toBeUndefined();
    for (const wrong of [clock, login]) expect(await tokens.readLongterm(wrong, at)).toBeUndefined();
    expect(decode(clock.split(".")[1])).toEqual({
      exp: session.expiresAt / 1000,
      ren: at / 1000 + 60,
      lid: session.id,
    });
  });

  it("that was tampered with is no token: ten thousand of them", { timeout: 60_000 }, async () => {
    const mutated: string[] = [];
    while (mutated.length < 10_000) mutated.push(...mutationsOf(await tokens.signLogin(session, at)));
    const accepted: string[] = [];
    for (const token of mutated) {
      if ((await tokens.readLogin(token, at)) ?? (await tokens.readLongterm(token, at))) accepted.push(token);
    }
    expect(accepted).toEqual([]);
  });

  it("with a long life of its own making isn't believed it", async () => {
    const sign = (age: number) =>
      new SignJWT({ sid: session.id, gen: 3 })
        .setProtectedHeader({ alg: "HS256", typ: "login+jwt" })
        .setIssuer("storefront-login")
        .setAudience("storefront")
        .setSubject(session.accountId)
        .setJti("1")
        .setIssuedAt((at - age) / 1000)
        .setExpirationTime(at / 1000 + 1e6)
        .sign(key);
    expect(await tokens.readLogin(await sign(day), at)).toEqual(claims);
    expect(await tokens.readLogin(await sign(15 * day), at)).toBeUndefined();
  });
});
