import type { Validate } from "../../platform/validate.ts";

/**
 * Reports a field of an answer that isn't as it must be.
 * @param expected - the end of a sentence that begins with the field, such as `must be 200`
 */
export type Differs = (field: string, expected: string, found: string) => void;

/**
 * Checks a value, and reports its faults.
 * @param at - where it is in the answer
 * @returns whether it has none
 */
export function checkValue(value: unknown, validate: Validate<unknown>, differs: Differs, at?: string): boolean {
  // The validator may change it.
  const result = validate(structuredClone(value));
  if (!result.valid) reportFaults(result.faults, value, differs, at);
  return result.valid;
}

/** The faults that don't say what a field must be. */
const demands: Record<string, string> = {
  "is missing": "must be set",
  "is not known": "must be left out",
  "must not be given": "must be left out",
  "names a text that is neither built in nor in the answer's texts": "must name a text that is built in, or in /texts",
};

/** @param faults - each as `/path message` */
export function reportFaults(faults: readonly string[], value: unknown, differs: Differs, at = ""): void {
  for (const fault of faults) {
    const [, path = "", message = fault] = /^(\S*) (.*)$/s.exec(fault) ?? [];
    const keys = path.split("/").slice(1);
    const found = keys.reduce<unknown>((part, key) => Object(part)[key], value);
    differs(at + path || "body", demands[message] ?? message, describe(found));
  }
}

/** Describes a value without what might be a credential. */
export function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 40 ? `${Array.isArray(value) ? "array" : typeof value} of ${text.length} characters` : text;
}

/** Returns undefined unless a text is JSON. */
export function parseJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
