import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readToken } from "../../../client/features/session/login-cookie.ts";
import { InvalidTokenError, isSignedIn, type LoginToken, parseLoginToken } from "../../../client/rules/login-token.ts";
import { writePayload } from "../features/session/write-token.ts";

const encode = (text: string) => Buffer.from(text).toString("base64url");

describe("a login token", () => {
  it.each<[string, object, LoginToken]>([
    ["of a session", { exp: 20, ren: 10 }, { exp: 20, ren: 10, longTerm: false }],
    ["of a long-term login", { exp: 20, ren: 10, lid: "a" }, { exp: 20, ren: 10, longTerm: true }],
    ["whose text needs - and _", { exp: 20, ren: 10, lid: "ü?>~ÿ" }, { exp: 20, ren: 10, longTerm: true }],
  ])("%s is read", (_name, payload, token) => {
    expect(parseLoginToken(writePayload(payload))).toEqual(token);
  });

  it.each([
    ["nothing", ""],
    ["two parts", `a.${encode('{"exp":2,"ren":1}')}`],
    ["no base64url", "a.%%%.b"],
    ["no JSON", `a.${encode("{exp:2}")}.b`],
    ["null", writePayload(null)],
    ["no exp", writePayload({ ren: 1 })],
    ["a time as text", writePayload({ exp: "2", ren: 1 })],
    ["an endless time", `a.${encode('{"exp":1e999,"ren":1}')}.b`],
  ])("that is %s is reported once and counts as none", (_name, text) => {
    expect(() => parseLoginToken(text)).toThrow(InvalidTokenError);
    for (const _look of [1, 2]) expect(readToken(`LoginToken=${text}`)).toBeUndefined();
    expect(isSignedIn(text)).toBe(false);
    expect(vi.mocked(console.error).mock.calls).toEqual(text ? [[expect.any(InvalidTokenError)]] : []);
    vi.mocked(console.error).mockClear();
  });

  it("is read or refused whatever the text is", () => {
    const payload = fc.oneof(fc.json(), fc.record({ exp: fc.oneof(fc.double(), fc.jsonValue()), ren: fc.double() }));
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.base64String(), { maxLength: 5 }).map((parts) => parts.join(".")),
      payload.map((value) => writePayload(value)),
    );
    const isReadOrRefused = (value: string) => {
      try {
        const token = parseLoginToken(value);
        return Number.isFinite(token.exp) && Number.isFinite(token.ren);
      } catch (error) {
        return error instanceof InvalidTokenError;
      }
    };
    fc.assert(fc.property(text, isReadOrRefused), { numRuns: 1000 });
  });
});

describe("the token to keep up", () => {
  const token = writePayload({ exp: 20, ren: 10 });

  it.each([`LoginToken=${token}`, `platform=desktop; LoginToken=${token}`, `a=b; LoginToken=${token}; platform=x`])(
    "is the one of %s",
    (cookie) => {
      expect(readToken(cookie)).toEqual({ exp: 20, ren: 10, longTerm: false });
    },
  );

  it.each([
    "",
    "LoginToken=",
    `xLoginToken=${token}`,
    `platform=smartphone; LoginToken=${token}`,
    `LoginToken=${token}; platform=tablet`,
  ])("is none for %s", (cookie) => {
    expect(readToken(cookie)).toBeUndefined();
  });
});
