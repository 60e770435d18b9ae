import { InputBase, type InputProps } from "./InputBase.tsx";
import { type CaretText, type Edit, useEditRule } from "./use-edit-rule.ts";

/** An IBAN in groups of four. There is no autofill token for one; the keyboard has letters, as many IBANs do. */
export function IbanInput({ ref, ...props }: InputProps) {
  return (
    <InputBase
      autoComplete="off"
      maxLength={longestIban}
      {...props}
      type="text"
      ref={useEditRule(editIban, ref)}
      attributes={{ autoCapitalize: "characters", autoCorrect: "off", spellCheck: false }}
    />
  );
}

/** Characters of the longest IBAN that ISO 13616 allows, 34, in groups of four. */
const longestIban = 42;

const pattern = /^[A-Z]{0,2}$|^[A-Z]{2}\d+$/;

/**
 * Keeps only letters and digits, in groups of four. What is typed must keep two letters first, then digits. Real IBANs
 * of some countries have letters further on (among them FR, GB, NL, IT, CH, TR and MT): they can be pasted or filled in,
 * and where the text is past the pattern already, each typed character counts by its own place.
 */
function editIban({ before, inserted, after, typed }: Edit): CaretText | undefined {
  const start = compact(before);
  const added = typed ? compact(inserted) : normalizeIban(inserted);
  const end = compact(after);
  if (typed && !(added && fits(start, added, end))) return undefined;
  return groupAt(start + added, end);
}

function fits(start: string, added: string, end: string): boolean {
  if (pattern.test(start + end)) return pattern.test(start + added + end);
  const letters = Math.max(0, 2 - start.length);
  return /^[A-Z]*$/.test(added.slice(0, letters)) && /^\d*$/.test(added.slice(letters));
}

function groupAt(start: string, end: string): CaretText {
  const text = groupIban(start + end);
  const caret = start.length + Math.max(0, Math.floor((start.length - 1) / 4));
  return { before: text.slice(0, caret), after: text.slice(caret) };
}

/** `DE89370400440532013000` as `DE89 3704 0044 0532 0130 00`. */
function groupIban(iban: string): string {
  return iban.replace(/.{4}(?=.)/g, "$& ");
}

/** An IBAN in any form (lower case, grouped by whatever, after `IBAN:`) as its letters and digits alone. */
function normalizeIban(text: string): string {
  return compact(text).replace(/^IBAN(?=[A-Z]{2}\d)/, "");
}

function compact(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[^A-Za-z0-9]/g, "")
    .toUpperCase();
}
