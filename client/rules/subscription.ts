import type newsletter from "../../locales/de/newsletter.json";
import { isEmail, maxEmailLength, normalizeEmail } from "./email.ts";
import type { SalutationValue } from "./salutations.ts";

/** DNE: personalised offers. NEWSLETTER: the consent to commercial electronic messages, where a country asks for it. */
export const consents = ["DNE", "NEWSLETTER"] as const;
export type Consent = (typeof consents)[number];

/** What a visitor has entered. */
export interface SubscriptionValues {
  email: string;
  salutation?: SalutationValue | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  consents: Consent[];
}

/** What a country wants to know; plain data, as the browser needs it too. */
export interface NewsletterRules {
  salutation: "required" | "optional";
  names: "required" | "optional";
  /** Requires the consent to commercial electronic messages. */
  legals: boolean;
}

export type SubscriptionField = "email" | "salutation" | "firstName" | "lastName" | "legals";
export type ErrorKey = Extract<keyof typeof newsletter, `error.${string}`>;

/** A field that is wrong, and the key of the text that says why. */
export interface SubscriptionFault {
  field: SubscriptionField;
  key: ErrorKey;
}

/** A field that stays empty: what is in it comes from a bot. */
export const honeypotName = "remarks";

/** How many characters a first or last name may have. */
export const maxNameLength = 40;

/** The characters of names in any script. */
export const namePattern = /^[\p{L}\p{Mn}\p{Mc}\d\s+&'`´,()/.-]*$/u;
/** What makes an emoji of a letter or digit is a mark, too. */
export const emojiPattern = /\p{Variation_Selector}/u;
/** `example.com`, `//example`, `www.x`, `192.0.2.1`: what a mail program would make a link of. */
export const webAddressPattern = /[\p{L}\d]\.\p{L}{2}|\/\/|www\.|\d\.\d{1,3}\.\d{1,3}\.\d/iu;

/**
 * Checks a sign-up by the rules of its country, the same on the server and in the browser.
 * @returns what is wrong, one fault per field, in the order of the form
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

/** A name composed, with single spaces and none around it. */
export function normalizeName(text: string): string {
  return text.trim().normalize("NFC").replaceAll(/\s+/g, " ");
}

function emailFault(text: string): ErrorKey | undefined {
  const email = normalizeEmail(text);
  if (email === "") return "error.email.required";
  if (email.length > maxEmailLength) return "error.email.tooLong";
  return isEmail(email) ? undefined : "error.email.invalid";
}

function nameFault(text: string | undefined, rules: NewsletterRules, required: ErrorKey): ErrorKey | undefined {
  const name = normalizeName(text ?? "");
  if (name === "") return rules.names === "required" ? required : undefined;
  if (name.length > maxNameLength) return "error.name.tooLong";
  const clean = namePattern.test(name) && !emojiPattern.test(name) && !webAddressPattern.test(name);
  return clean ? undefined : "error.name.invalid";
}
