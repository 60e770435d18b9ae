import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxEmailLength } from "../../../client/rules/email.ts";
import {
  maxNameLength,
  type NewsletterRules,
  normalizeName,
  type SubscriptionValues,
  validateSubscription,
} from "../../../client/rules/subscription.ts";

const lenient: NewsletterRules = { salutation: "optional", names: "optional", legals: false };
const faultsOf = (changes: Partial<SubscriptionValues>, country = lenient) =>
  validateSubscription({ email: "anna@example.com", consents: [], ...changes }, country);
const emailFault = (email: string) => faultsOf({ email })[0]?.key;
const nameFault = (firstName: string) => faultsOf({ firstName })[0]?.key;

describe("the e-mail address", () => {
  it("must be one", () => {
    expect(emailFault("anna@example.com")).toBeUndefined();
    expect(emailFault("anna@example")).toBe("error.email.invalid");
  });

  it("is required", () => {
    for (const email of ["", "   ", "\t"]) expect(emailFault(email)).toBe("error.email.required");
  });

  it(`has ${maxEmailLength} characters at most`, () => {
    const longest = `${"a".repeat(maxEmailLength - "@example.com".length)}@example.com`;
    expect(longest).toHaveLength(256);
    expect(emailFault(longest)).toBeUndefined();
    expect(emailFault(`a${longest}`)).toBe("error.email.tooLong");
  });
});

describe("a name", () => {
  it.each([
    "Zoë-Maria",
    "Şükrü İpek",
    "Nguye\u0302\u0303n",
    "О'Нил",
    "陳大文",
    "J. R. R.",
    "H. Müller (jun.)",
    "Anna & Bert + 2",
    "c/o Meier, Anna",
    "D´Angelo `x`",
    "Café 11",
    "O’Brien",
    "Hans–Peter",
    "Dr.Müller",
    "J.R.R.Tolkien",
    "   ",
  ])("may be %j", (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  it.each([
    "Anna!",
    "<b>Anna</b>",
    "anna@example",
    "Anna_B",
    "Anna: B",
    "Anna\u0000",
    "Anna ❤️",
    "1️⃣",
    "🇩🇪",
    "Ada \u2139",
    "Gewinn auf Example.Com",
    "www.example",
    "//example/win",
    "192.0.2.1/win",
    "T.CO",
    "Bit.Ly",
    "Gewinn.Online",
    "Dr.müller",
  ])("must not be %j", (name) => {
    expect(nameFault(name)).toBe("error.name.invalid");
  });

  it(`has ${maxNameLength} characters at most, not counting the spaces around it`, () => {
    expect(nameFault("é".repeat(40))).toBeUndefined();
    expect(nameFault(`  ${"e\u0301".repeat(40)}  `)).toBeUndefined();
    expect(nameFault("é".repeat(41))).toBe("error.name.tooLong");
  });

  it("has one spelling", () => {
    expect(normalizeName("  Zoe\u0308\t\n Maria ")).toBe("Zoë Maria");
    expect(normalizeName("Conor O’Brien‑Smith")).toBe("Conor O'Brien-Smith");
    expect(normalizeName("Prof.Dr.Müller, St.Gallen")).toBe("Prof. Dr. Müller, St. Gallen");
    expect(normalizeName("J.R.R.Tolkien")).toBe("J.R.R. Tolkien");
    expect(normalizeName("Example.Com")).toBe("Example.Com");
  });

  it("that is accepted has no character that markup, headers or links need", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.webUrl()), (text) => {
        if (nameFault(text)) return;
        expect(normalizeName(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Extended_Pictographic}<>"@:;=[\]{}\\]/u);
      }),
      { numRuns: 1_000 },
    );
  });

  it("must not be any web address", () => {
    fc.assert(fc.property(fc.oneof(fc.webUrl(), fc.domain()), (url) => nameFault(url.slice(0, 40)) !== undefined));
  });
});

describe("a country's rules", () => {
  const names = ["error.firstName.required", "error.lastName.required"];
  const variants: [rules: Partial<NewsletterRules>, missing: string[]][] = [
    [{}, []],
    [{ salutation: "required" }, ["error.salutation.required"]],
    [{ names: "required" }, names],
    [{ legals: true }, ["error.legals.required"]],
    [
      { salutation: "required", names: "required", legals: true },
      ["error.salutation.required", ...names, "error.legals.required"],
    ],
  ];

  it.each(variants)("ask for what they require, until everything is filled in: %j", (changes, missing) => {
    const country = { ...lenient, ...changes };
    const expected = ["error.email.required", ...missing].map((key) => ({ field: key.split(".")[1], key }));
    expect(validateSubscription({ email: "", consents: [] }, country)).toEqual(expected);
    const full: SubscriptionValues = {
      email: "anna@example.com",
      salutation: "MRS",
      firstName: "Anna",
      lastName: "Beispiel",
      consents: ["NEWSLETTER"],
    };
    expect(validateSubscription(full, country)).toEqual([]);
    expect(validateSubscription({ ...full, consents: ["DNE"] }, country)).toHaveLength(country.legals ? 1 : 0);
  });
});
