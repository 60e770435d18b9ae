import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEmail, normalizeEmail } from "../../../client/rules/email.ts";

const isAccepted = (text: string) => isEmail(normalizeEmail(text));

describe("an e-mail address", () => {
  it.each([
    "anna@example.com",
    "ANNA.B+news@Sub.Example.co.uk",
    "  anna@example.com ",
    "o'neil_{x}@example.museum",
    "info@müller.example",
    "1@2.example",
  ])("may be %s", (email) => {
    expect(isAccepted(email)).toBe(true);
  });

  it.each([
    "anna",
    "anna@",
    "@example.com",
    "anna@example",
    "anna@ex..ample.com",
    "anna@-example.com",
    "anna@example.c",
    "anna@192.0.2.1",
    "anna@b@example.com",
    "an..na@example.com",
    "anna@example.com/x",
    "anna@example.com, bert@example.com",
    "Anna <anna@example.com>",
    "anna@example.com\r\nBcc: bert@example.com",
    "anna@exam\u200bple.com",
    "änna@example.com",
    `anna@${"a".repeat(64)}.com`,
  ])("must not be %j", (email) => {
    expect(isAccepted(email)).toBe(false);
  });

  it("has one spelling", () => {
    const decomposed = "info@mu\u0308ller.example";
    for (const email of ["info@müller.example", decomposed, " info@MÜLLER.Example\n", "info@xn--mller-kva.EXAMPLE"]) {
      expect(normalizeEmail(email)).toBe("info@xn--mller-kva.example");
    }
    expect(normalizeEmail("Anna.B@Example.COM")).toBe("Anna.B@example.com");
  });

  it("keeps its spelling when it is normalised again, and stays as right or wrong as it was", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" }), likeAnEmail), (text) => {
        const email = normalizeEmail(text);
        return normalizeEmail(email) === email && isEmail(email) === isAccepted(text);
      }),
    );
  });

  it("that is accepted is plain ASCII, with nothing that ends a header", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), likeAnEmail), (text) => {
        const email = normalizeEmail(text);
        if (!isEmail(email)) return;
        expect(email).toMatch(/^[!-~]+@[a-z0-9.-]+$/);
        expect(email).not.toMatch(/[<>,;:"()[\]\\]/);
      }),
      { numRuns: 1_000 },
    );
  });

  const likeAnEmail = fc
    .tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "grapheme" }), fc.domain())
    .map(([local, label, domain]) => `${local}@${label}.${domain}`);
});
