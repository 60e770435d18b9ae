import type { Validate } from "./validate.ts";

/** Control characters except line breaks and tabs, and halves of a surrogate pair. Browsers show neither. */
const brokenLetter = /[^\P{Cc}\n\t]|\p{Cs}/u;

/**
 * Finds the strings in a value, at any depth, that browsers can't show.
 * @returns each fault as `/path message`
 */
export function findBrokenLetters(value: unknown, path = ""): string[] {
  if (typeof value === "string")
    return brokenLetter.test(value) ? [`${path} must not contain a control character or half of a surrogate pair`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => findBrokenLetters(part, `${path}/${key}`));
}

/** Makes a validator also refuse strings that browsers can't show. */
export function refuseBrokenLetters<T>(validate: Validate<T>): Validate<T> {
  return (value) => {
    const result = validate(value);
    const broken = findBrokenLetters(value);
    if (broken.length === 0) return result;
    return { valid: false, faults: result.valid ? broken : [...result.faults, ...broken] };
  };
}
