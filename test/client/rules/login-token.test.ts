import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readToken } from "../../../client/features/session/login-cookie.ts";
import { type LoginToken, parseLoginToken } from "../../../client/rules/login-token.ts";
import { writePayload } from "../features/session/write-token.ts";

const encode = (text: string) => Buffer.from(text).toString("base64url");

describe("a login token", () => {
  it.each<[string, object, LoginToken]>([
    ["of a session", { exp: 20, ren: 10 }, { exp: 20, ren: 10, longTerm: false }],
    ["of a long-term login", { exp: 20, ren: 10, lid: "a" }, { exp: 20, ren: 10, longTerm: true }],
    ["without a long-term login", { exp: 20, ren: 10, lid: null }, { exp: 20, ren: 10, longTerm: false }],
    ["whose text needs - and _", { exp: 20, ren: 10, lid: "ü?>~ÿ" }, { exp: 20, ren: 10, longTerm: true }],
  ])("%s is read", (_name, payload, token) => {
    expect(parseLoginToken(writePayload(payload))).toEqual(token);
  });

  it.each([
    ["nothing", ""],
    ["a word", "token"],
    ["two parts", `a.${encode('{"exp":2,"ren":1}')}`],
    ["no base64url", "a.%%%.b"],
    ["no JSON", `a.${encode("{exp:2}")}.b`],
    ["null", writePayload(null)],
    ["a list", writePayload([2, 1])],
    ["no exp", writePayload({ ren: 1 })],
    ["no ren", writePayload({ exp: 2 })],
    ["a time as text", writePayload({ exp: "2", ren: 1 })],
    ["an endless time", `a.${encode('{"exp":1e999,"ren":1}')}.b`],
  ])("that is %s counts as none", (_name, text) => {
    expect(parseLoginToken(text)).toBeUndefined();
    expect(readToken(`LoginToken=${text}`)).toBeUndefined();
  });

  it("is read or counts as none whatever the text is", () => {
    const payload = fc.oneof(fc.json(), fc.record({ exp: fc.oneof(fc.double(), fc.jsonValue()), ren: fc.double() }));
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.base64String(), { maxLength: 5 }).map((parts) => parts.join(".")),
      payload.map((value) => writePayload(value)),
    );
    const isReadOrNone = (value: string) => {
      const token = parseLoginToken(value);
      return token === undefined || (Number.isFinite(token.exp) && Number.isFinite(token.ren));
    };
    fc.assert(fc.property(text, isReadOrNone), { numRuns: 1000 });
  });

  it("says what was written into it", () => {
    const times = fc.record({ exp: fc.integer(), ren: fc.integer(), lid: fc.string({ unit: "binary" }) });
    fc.assert(
      fc.property(times, ({ exp, ren, lid }) => {
        expect(parseLoginToken(writePayload({ exp, ren, lid }))).toEqual({ exp, ren, longTerm: true });
      }),
    );
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
