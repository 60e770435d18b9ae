import { SignJWT } from "jose";
import { expect, it, vi } from "vitest";
import { hour, second } from "../../../client/rules/time.ts";
import { createSignedTokens } from "../../../server/accounts/signed-tokens.ts";
import { testKeys } from "../../support/test-store.ts";

const tokens = createSignedTokens(testKeys, "customers");
const key = testKeys.signing("tokens for customers");
const now = () => Math.floor(Date.now() / second);
const valid = { aud: "customers", iat: now(), exp: now() + 3600, sid: "1" };
const sign = (claims: object, typ = "login+jwt", alg = "HS256") =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, typ }).sign(key);
const isRead = async (token: string) => (await tokens.read("login+jwt", token)) !== undefined;

it("a token is read until it expires", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const token = await tokens.issue("login+jwt", { sid: "1" }, Date.now() + hour);
  expect(await tokens.read("login+jwt", token)).toMatchObject({ sid: "1", aud: "customers" });
  vi.setSystemTime(Date.now() + hour + 6 * second);
  expect(await isRead(token)).toBe(false);
  vi.useRealTimers();
});

it("a token is rejected when its claims, its type or its algorithm are wrong", async () => {
  expect(await isRead(await sign(valid))).toBe(true);
  const { exp: _exp, ...withoutEnd } = valid;
  for (const claims of [withoutEnd, { ...valid, aud: "staff" }, { ...valid, nbf: now() + 60 }])
    expect(await isRead(await sign(claims)), JSON.stringify(claims)).toBe(false);
  expect(await isRead(await sign(valid, "longterm+jwt"))).toBe(false);
  expect(await isRead(await sign(valid, "login+jwt", "HS512"))).toBe(false);
  const unsigned = `${Buffer.from('{"alg":"none","typ":"login+jwt"}').toString("base64url")}.`;
  expect(await isRead(unsigned + (await sign(valid)).replace(/^[^.]+\.|[^.]+$/g, ""))).toBe(false);
});

it("a token is rejected when any character is changed or missing", async () => {
  const token = await sign(valid);
  for (let at = 0; at < token.length - 1; at++) {
    const [before, after] = [token.slice(0, at), token.slice(at + 1)];
    for (const text of [before, before + after, `${before}${token[at] === "A" ? "B" : "A"}${after}`])
      expect(await isRead(text), text).toBe(false);
  }
});
