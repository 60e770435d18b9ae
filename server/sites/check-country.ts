import type { Country } from "../../schemas/types.ts";
import { refuseBrokenLetters } from "../platform/broken-letters.ts";
import { referenceLocale } from "../platform/own-texts.ts";
import { placeholdersIn } from "../platform/placeholders.ts";
import type { Texts } from "../platform/texts.ts";
import { findEndsBeforeStarts } from "../platform/time.ts";
import { createValidator } from "../platform/validate.ts";
import { findNames, textFields } from "./named-fields.ts";
import { footerFacts, footerTextLocale } from "./site.ts";

type UncheckedCountry = Omit<Partial<Country>, "footer"> & { footer?: unknown };

/** The texts that a footer may name. */
export interface NameableTexts {
  /** Whether there is a text of a key. */
  has(key: string): boolean;
  /** Returns the message that a text doesn't exist. */
  describeMissing(key: string): string;
  /** Returns the text that is shown, unfilled; undefined if there is none. */
  find(key: string): string | undefined;
}

const validate = refuseBrokenLetters(createValidator<Country>("country"));

/**
 * Checks a country's data.
 * @returns the country, unless the schema refuses it; each fault as `/field message`
 */
export function checkCountry(data: UncheckedCountry, nameable: NameableTexts) {
  const result = validate(data);
  return {
    country: result.valid ? result.data : undefined,
    faults: [
      ...(result.valid ? [] : result.faults),
      ...findFooterTextFaults(data, nameable),
      ...findEndsBeforeStarts(data.footer, "/footer"),
    ],
  };
}

/**
 * Returns the texts that a country's file may name: those of the reference locale. A text that only the country's locale
 * lacks is no fault: it is left out, and logged.
 */
export function builtInTexts({ locale, footerLocale }: Partial<Country>, texts: Texts): NameableTexts {
  const shown = footerTextLocale({ locale: textOf(locale), footerLocale: textOf(footerLocale) });
  return {
    has: (key) => !texts.isRead(referenceLocale, "footer") || texts.find(referenceLocale, "footer", key) !== undefined,
    describeMissing: (key) => `no text "${key}" in locale ${referenceLocale}`,
    find: (key) => texts.find(shown, "footer", key),
  };
}

/**
 * Finds texts that a footer names but that don't exist, and texts with a placeholder that the country's facts don't
 * fill.
 */
function findFooterTextFaults(
  { footer, facts, imprint }: UncheckedCountry,
  { has, describeMissing, find }: NameableTexts,
): string[] {
  const given = facts && Object.keys(footerFacts({ facts, imprint: imprint ?? {} }));
  return findNames(textFields, footer, "/footer").flatMap(({ path, name: key }) => [
    ...(has(key) ? [] : [`${path} ${describeMissing(key)}`]),
    ...placeholdersIn(find(key) ?? "")
      .filter((name) => given?.includes(name) === false)
      .map((name) => `${path} text "${key}" needs /facts/${name}`),
  ]);
}

/** Returns a field that should be a string; empty if it isn't one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
