import { InputBase, type InputProps } from "./InputBase.tsx";
import { type CaretText, type Edit, useEditRule } from "./use-edit-rule.ts";

/**
 * A number with an optional sign and decimal part, as text: `type="number"` drops what it can't read, changes at a turn
 * of the wheel and says little to screen readers (https://design-system.service.gov.uk/components/text-input/#numbers).
 * Keyboards offer a decimal separator; `inputMode="numeric"` is for whole numbers.
 */
export function NumberInput({ ref, ...props }: InputProps) {
  return (
    <InputBase
      autoComplete="off"
      inputMode="decimal"
      {...props}
      type="text"
      ref={useEditRule(editNumber, ref)}
      attributes={{ spellCheck: false }}
    />
  );
}

const number = /^[+-]?\d*([.,]\d*)?$/;

/**
 * Accepts digits with an optional sign and decimal part. What is pasted or filled in is cleaned first; it is never cut,
 * as a part of a number is another number.
 */
function editNumber({ before, inserted, after, typed }: Edit): CaretText | undefined {
  const text = plain(inserted);
  const added = typed || number.test(text) ? text : cleanNumber(text);
  return number.test(before + added + after) ? { before: before + added, after } : undefined;
}

const formatted = /^(\D*?)((?:(?<!\p{L})[.,])?\d(?:[\d.,]*\d)?)\D*$/u;

/**
 * Takes currency and grouping out of a formatted number: `1.234,56 €` becomes `1234,56`. Of two kinds of separators the last
 * one is the decimal's; one that comes repeatedly groups; a single one is the decimal's, as it is when typed.
 * @returns the empty text where there is no number, or more than one
 */
function cleanNumber(text: string): string {
  const [, lead = "", digits = ""] =
    plain(text)
      .replace(/[\s'\u2019]/g, "")
      .match(formatted) ?? [];
  const [sign = ""] = lead.match(/[+-]/) ?? [];
  const separators = digits.match(/[.,]/g) ?? [];
  const groups = separators.length > 1 && new Set(separators).size === 1;
  const decimal = groups ? -1 : digits.lastIndexOf(separators.at(-1) ?? " ");
  return sign + digits.replace(/[.,]/g, (separator, index) => (index === decimal ? separator : ""));
}

/** With the digits and signs that keyboards write. */
function plain(text: string): string {
  return text.normalize("NFKC").replaceAll("\u2212", "-");
}
