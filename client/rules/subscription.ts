import type newsletter from "../../locales/de/newsletter.json";
import { isEmail, maxEmailLength, normalizeEmail } from "./email.ts";
import type { SalutationValue } from "./salutations.ts";

/**
 * `DNE` is the consent to personalised offers. `NEWSLETTER` is the one to commercial electronic messages, in countries
 * that require it.
 */
export const consents = ["DNE", "NEWSLETTER"] as const;
type Consent = (typeof consents)[number];

/** The values of the sign-up form, or the stored values of a subscriber. */
export interface SubscriptionValues {
  email: string;
  salutation?: SalutationValue | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  consents: Consent[];
}

/** A country's rules for the sign-up. Plain data, because they are sent to the browser as JSON. */
export interface NewsletterRules {
  salutation: "required" | "optional";
  names: "required" | "optional";
  /** Whether the consent to commercial electronic messages is required. */
  legals: boolean;
}

export type SubscriptionField = "email" | "salutation" | "firstName" | "lastName" | "legals";
type ErrorKey = Extract<keyof typeof newsletter, `error.${string}`>;

/** A wrong field, and the key of its message. */
export interface SubscriptionFault {
  field: SubscriptionField;
  key: ErrorKey;
}

/** The name of the honeypot: a field that people don't see, so only bots fill it in. */
export const honeypotName = "remarks";

/** The maximum length of a first or last name, in characters. */
export const maxNameLength = 40;

/** The characters of names in any script. */
const namePattern = /^[\p{L}\p{Mn}\p{Mc}\d\s+&'`\u00b4,()/.-]*$/u;
/** The only emoji that Unicode counts as a letter, and the mark that turns a letter or digit into an emoji. */
const emojiPattern = /\u2139|\p{Variation_Selector}/u;
/** Texts that a mail program would turn into links: `example.com`, `//example`, `www.x`, `192.0.2.1`. */
const webAddressPattern = /[\p{L}\d]\.\p{L}{2}|\/\/|www\.|\d\.\d{1,3}\.\d{1,3}\.\d/iu;

/**
 * The generic domains that spam uses most, and those that mail programs link. Brands' domains are missing, because some
 * are surnames: `.weber`.
 */
const genericDomains =
  /^(?:com|net|org|edu|gov|mil|int|info|biz|name|pro|mobi|app|dev|page|web|online|shop|store|site|website|tech|xyz|club|top|vip|live|link|click|cloud|blog|news|world|space|email|digital|agency|life|icu|sale|casino|bet|zip|mov)$/;
const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/**
 * Validates a sign-up by the rules of its country, on the server and in the browser.
 * @returns at most one fault per field
 */
export function validateSubscription(values: SubscriptionValues, rules: NewsletterRules): SubscriptionFault[] {
  const faults: [SubscriptionField, ErrorKey | undefined][] = [
    ["email", emailFault(values.email)],
    ["salutation", rules.salutation === "required" && !values.salutation ? "error.salutation.required" : undefined],
    ["firstName", nameFault(values.firstName, rules, "error.firstName.required")],
    ["lastName", nameFault(values.lastName, rules, "error.lastName.required")],
    ["legals", rules.legals && !values.consents.includes("NEWSLETTER") ? "error.legals.required" : undefined],
  ];
  return faults.flatMap(([field, key]) => (key ? [{ field, key }] : []));
}

/** Whether a text may be a first or last name. An empty one may. */
export function isName(text: string): boolean {
  return nameFault(text, { names: "optional" }, "error.firstName.required") === undefined;
}

/** Apostrophes and hyphens that phones and word processors insert in place of those on a keyboard. */
const apostrophes = /[\u2018\u2019]/g;
const hyphens = /[\u2010\u2011\u2013]/g;
/**
 * The end of an abbreviation or initial directly before a capitalized word: `Dr.Müller`, `St.Gallen`, `J.R.R.Tolkien`.
 */
const gluedPattern = /(?<!\p{L})(\p{Lu}\p{L}{0,3}\.)(?=\p{Lu}\p{Ll})/gu;

/**
 * Normalizes a name: composed (NFC), trimmed, with a keyboard's apostrophes and hyphens, a space after each
 * abbreviation, and single spaces.
 */
export function normalizeName(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(apostrophes, "'")
    .replaceAll(hyphens, "-")
    .replaceAll(gluedPattern, "$1 ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Whether a mail program would turn a part of the text into a link. Capitals don't matter: `Bit.Ly` counts. */
function hasWebAddress(text: string): boolean {
  const ends = text.matchAll(/(?<=[\p{L}\d])\.(\p{L}+)/gu);
  return webAddressPattern.test(normalizeName(text)) || [...ends].some(([, word = ""]) => isTopLevelDomain(word));
}

function isTopLevelDomain(word: string): boolean {
  // A country's domain is its code.
  if (/^[a-z]{2}$/i.test(word)) return countryNames.of(word.toUpperCase()) !== undefined;
  return genericDomains.test(word.toLowerCase());
}

export function emailFault(text: string): ErrorKey | undefined {
  const email = normalizeEmail(text);
  if (email === "") return "error.email.required";
  if (email.length > maxEmailLength) return "error.email.tooLong";
  return isEmail(email) ? undefined : "error.email.invalid";
}

function nameFault(
  text: string | null | undefined,
  { names }: Pick<NewsletterRules, "names">,
  required: ErrorKey,
): ErrorKey | undefined {
  const name = normalizeName(text ?? "");
  if (name === "") return names === "required" ? required : undefined;
  if (name.length > maxNameLength) return "error.name.tooLong";
  const clean = namePattern.test(name) && !emojiPattern.test(name) && !hasWebAddress(text ?? "");
  return clean ? undefined : "error.name.invalid";
}
