import fc from "fast-check";
import { check } from "recheck";
import { describe, expect, it } from "vitest";
import * as rules from "../../../client/rules/subscription.ts";
import { sites } from "../../support/test-app.ts";

const { maxEmailLength, maxNameLength, normalizeEmail, normalizeName, validateSubscription } = rules;
type Values = rules.SubscriptionValues;

const lenient: rules.NewsletterRules = { salutation: "optional", names: "optional", legals: false };
const faultsOf = (changes: Partial<Values>, country = lenient) =>
  validateSubscription({ email: "anna@example.com", consents: [], ...changes }, country);
const emailFault = (email: string) => faultsOf({ email })[0]?.key;
const nameFault = (firstName: string) => faultsOf({ firstName })[0]?.key;

describe("the e-mail address", () => {
  it.each([
    "anna@example.com",
    "ANNA.B+news@Sub.Example.co.uk",
    "  anna@example.com ",
    "o'neil_{x}@example.museum",
    "info@müller.example",
    "info@xn--mller-kva.example",
    "kapcsolat@árvíztűrő.hu",
    "1@2.example",
  ])("may be %s", (email) => {
    expect(emailFault(email)).toBeUndefined();
  });

  it.each([
    "anna",
    "anna@",
    "@example.com",
    "anna@example",
    "anna@example.",
    "anna@.example",
    "anna@ex..ample.com",
    "anna@-example.com",
    "anna@example.c",
    "anna@192.0.2.1",
    "anna@1.2.3",
    "anna b@example.com",
    "anna@exam ple.com",
    "anna@b@example.com",
    ".anna@example.com",
    "an..na@example.com",
    "anna@example.com/x",
    "anna@example.com:25",
    "anna@example.com, bert@example.com",
    "Anna <anna@example.com>",
    "anna@example.com\r\nBcc: bert@example.com",
    "an\u0000na@example.com",
    "anna@exa\u0007mple.com",
    "anna@exam\u200bple.com",
    "änna@example.com",
    "😀@example.com",
    `anna@${"a".repeat(64)}.com`,
  ])("must not be %j", (email) => {
    expect(emailFault(email)).toBe("error.email.invalid");
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
        return normalizeEmail(email) === email && emailFault(email) === emailFault(text);
      }),
    );
  });

  it("that is accepted is plain ASCII of limited length, with nothing that ends a header", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), likeAnEmail), (text) => {
        if (emailFault(text)) return;
        const email = normalizeEmail(text);
        expect(email).toMatch(/^[!-~]+@[a-z0-9.-]+$/);
        expect(email).not.toMatch(/[<>,;:"()[\]\\]/);
        expect(email.length).toBeLessThanOrEqual(maxEmailLength);
      }),
      { numRuns: 1_000 },
    );
  });

  const likeAnEmail = fc
    .tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "grapheme" }), fc.domain())
    .map(([local, label, domain]) => `${local}@${label}.${domain}`);
});

describe("a name", () => {
  it.each([
    "Anna",
    "Zoë-Maria",
    "Łukasz",
    "Şükrü İpek",
    "Nguyễn",
    "Nguye\u0302\u0303n",
    "О'Нил",
    "陳大文",
    "J. R. R.",
    "Dr. Müller",
    "H. Müller (jun.)",
    "Anna & Bert + 2",
    "c/o Meier, Anna",
    "D´Angelo `x`",
    "Café 11",
    "Anna\tMaria",
    "",
    "   ",
  ])("may be %j", (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  it.each([
    "Anna!",
    "<b>Anna</b>",
    "anna@example",
    "Anna_B",
    'Anna "B"',
    "Anna: B",
    "Anna\u0000",
    "Anna\u200b",
    "😀",
    "Anna ❤️",
    "1️⃣",
    "🇩🇪",
    "example.com",
    "Gewinn auf Example.Com",
    "www.example",
    "//example/win",
    "192.0.2.1/win",
    "t.co/x",
    "müller.de",
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

describe.each(sites)("the rules of $site", ({ site, newsletter }) => {
  const empty: Values = { email: "", consents: [] };

  it("ask for what the country requires, in the order of the form", () => {
    const names = ["HU", "TR"].includes(site) ? ["error.firstName.required", "error.lastName.required"] : [];
    expect(validateSubscription(empty, newsletter)).toEqual(
      [
        "error.email.required",
        ...(site === "HU" ? ["error.salutation.required"] : []),
        ...names,
        ...(site === "TR" ? ["error.legals.required"] : []),
      ].map((key) => ({ field: key.split(".")[1], key })),
    );
  });

  it("are content with everything filled in", () => {
    const full: Values = {
      email: "anna@example.com",
      salutation: "MRS",
      firstName: "Anna",
      lastName: "Beispiel",
      consents: ["NEWSLETTER"],
    };
    expect(validateSubscription(full, newsletter)).toEqual([]);
    expect(validateSubscription({ ...full, consents: ["DNE"] }, newsletter)).toHaveLength(site === "TR" ? 1 : 0);
  });
});

describe("every pattern", () => {
  const patterns = Object.entries(rules).filter(([, value]) => value instanceof RegExp);

  it("is among those that are checked", () => {
    expect(patterns.map(([name]) => name)).toHaveLength(5);
  });

  it.each(patterns)("%s needs time in proportion to its input", async (_name, pattern) => {
    const { source, flags } = pattern as RegExp;
    const known = source.replaceAll("\\p{Variation_Selector}", "[\uFE00-\uFE0F]");
    expect(await check(known, flags)).toMatchObject({
      status: "safe",
      complexity: { type: expect.stringMatching(/^(safe|linear)$/) },
    });
  });
});
