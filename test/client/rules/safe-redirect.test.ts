import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeRedirect } from "../../../client/rules/safe-redirect.ts";

const current = new URL("http://de.localhost:3000/login");
const staysAt = (target: string) => new URL(target, current).origin === current.origin;

/** Targets that try to lead a browser, or a careless server, to another site. */
const payloads = [
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "\n//evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "/.//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/\u0085/evil.example",
  "https://de.localhost@evil.example",
  "http://de.localhost:3000.evil.example",
  "//de.localhost",
  "/bag\r\nLocation: https://evil.example",
  "evil.example",
];

describe("a redirect", () => {
  it.each(payloads)("never leaves the site: %j", (payload) => {
    const target = safeRedirect(payload, current);
    expect(target).toMatch(/^\/(?!\/)/);
    expect(staysAt(target)).toBe(true);
    expect(new URL(target, current).hostname).toBe(current.hostname);
  });

  it("never leaves the site, whatever the text", () => {
    const parts = fc.constantFrom("\t", "\n", " ", ..."/ \\ . .. : @ ? # %2f %5c evil.example a".split(" "));
    const target = fc.oneof(
      fc.string(),
      fc.array(parts).map((list) => `/${list.join("")}`),
    );
    fc.assert(
      fc.property(target, (text) => {
        const found = safeRedirect(text, current);
        return /^\/(?!\/)/.test(found) && staysAt(found);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["/bag", "/bag"],
    ["/account/orders?page=2#latest", "/account/orders?page=2#latest"],
    ["/faq?url=https://shop.example/", "/faq?url=https://shop.example/"],
    ["/category/käse", "/category/k%C3%A4se"],
    ["/bag\\..\\account", "/"],
    ["/login", "/"],
    ["/login#form", "/"],
    ["/login?step=2", "/login?step=2"],
    ["", "/"],
    [undefined, "/"],
    [["/bag"], "/"],
    [`/${"a".repeat(999)}`, `/${"a".repeat(999)}`],
    [`/${"a".repeat(1_000)}`, "/"],
  ])("follows %j to %s", (target, expected) => {
    expect(safeRedirect(target, current)).toBe(expected);
  });
});
