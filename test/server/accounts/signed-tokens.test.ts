import { SignJWT } from "jose";
import { expect, it, vi } from "vitest";
import { day, hour, second } from "../../../client/rules/time.ts";
import { createSignedTokens } from "../../../server/accounts/signed-tokens.ts";
import { testKeys } from "../../support/test-store.ts";

const options = { issuer: "shop", audience: "customers", maxAge: day };
const tokens = createSignedTokens(testKeys, options);
const key = testKeys.signing("tokens for customers");
const now = () => Math.floor(Date.now() / second);
const valid = { iss: "shop", aud: "customers", iat: now(), exp: now() + 3600, sid: "1" };
const sign = (claims: object, typ = "login+jwt", alg = "HS256") =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, typ }).sign(key);
const isRead = async (token: string) => (await tokens.read("login+jwt", token)) !== undefined;

it("a token is read until it expires", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const token = await tokens.issue("login+jwt", { sid: "1" }, Date.now() + hour);
  expect(await tokens.read("login+jwt", token)).toMatchObject({ sid: "1", iss: "shop", aud: "customers" });
  vi.setSystemTime(Date.now() + hour + 6 * second);
  expect(await isRead(token)).toBe(false);
  vi.useRealTimers();
});

it("a token is rejected when its claims, its type or its algorithm are wrong", async () => {
  expect(await isRead(await sign(valid))).toBe(true);
  const { exp: _exp, ...withoutEnd } = valid;
  const { iat: _iat, ...withoutStart } = valid;
  const wrong = [
    ...[withoutEnd, withoutStart, { ...valid, iss: "other" }, { ...valid, aud: "staff" }],
    ...[
      { ...valid, iat: now() + 60 },
      { ...valid, iat: now() - 25 * 3600 },
      { ...valid, nbf: now() + 60 },
    ],
  ];
  for (const claims of wrong) expect(await isRead(await sign(claims)), JSON.stringify(claims)).toBe(false);
  expect(await isRead(await sign(valid, "longterm+jwt"))).toBe(false);
  expect(await isRead(await sign(valid, "login+jwt", "HS512"))).toBe(false);
  const unsigned = `${Buffer.from('{"alg":"none","typ":"login+jwt"}').toString("base64url")}.`;
  expect(await isRead(unsigned + (await sign(valid)).replace(/^[^.]+\.|[^.]+$/g, ""))).toBe(false);
});

it("a token is rejected when any character is changed, missing or added", async () => {
  const token = await sign(valid);
  const altered = [...token].flatMap((character, at) => {
    const [before, after] = [token.slice(0, at), token.slice(at + 1)];
    return [
      before,
      before + after,
      `${before}${character === "A" ? "B" : "A"}${after}`,
      `${before} ${character}${after}`,
    ];
  });
  // Readers of Base64url overlook some bits of the last character.
  const respelled = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=."].map(
    (last) => token.slice(0, -1) + last,
  );
  for (const text of [...altered, ...respelled, `${token}=`, `${token} `, `${token}\n`])
    if (text !== token) expect(await isRead(text), text).toBe(false);
});
