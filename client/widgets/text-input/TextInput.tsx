import { oneOf } from "../one-of.ts";
import { EmailInput } from "./EmailInput.tsx";
import { InputBase, type InputProps } from "./InputBase.tsx";
import { PasswordInput, type PasswordInputProps } from "./PasswordInput.tsx";
import { type CaretText, type Edit, useEditRule } from "./use-edit-rule.ts";

export const textInputTypes = ["text", "password", "email", "number", "iban"] as const;
export type TextInputType = (typeof textInputTypes)[number];

type TextInputProps =
  | (InputProps & { type?: Exclude<TextInputType, "password"> })
  | (PasswordInputProps & { type: "password" });

const inputs = {
  text: PlainInput,
  password: PasswordInput,
  email: EmailInput,
  number: NumberInput,
  iban: IbanInput,
} satisfies Record<TextInputType, unknown>;

/** A single line of text, of any type. If you know the type, use its component, which loads less script. */
export function TextInput({ type, ...props }: TextInputProps) {
  const Input = inputs[oneOf("text input type", textInputTypes, type, "text")];
  return <Input {...props} />;
}

function PlainInput(props: InputProps) {
  return <InputBase {...props} type="text" />;
}

/**
 * A number with an optional sign and decimal part, as text. `type="number"` would drop text that it can't read, change
 * with the mouse wheel and say little to screen readers
 * (https://design-system.service.gov.uk/components/text-input/#numbers). Keyboards offer a decimal separator;
 * `inputMode="numeric"` is for whole numbers.
 */
function NumberInput(props: InputProps) {
  const ref = useEditRule(editNumber);
  return <InputBase autoComplete="off" inputMode="decimal" spellCheck={false} {...props} type="text" ref={ref} />;
}

const number = /^[+-]?\d*([.,]\d*)?$/;

/**
 * Accepts digits with an optional sign and decimal part. Cleans pasted or filled-in text first. Never cuts it, because
 * part of a number is another number.
 */
function editNumber({ before, inserted, after, typed }: Edit): CaretText | undefined {
  const text = plain(inserted);
  const added = typed || number.test(text) ? text : cleanNumber(text);
  return number.test(before + added + after) ? { before: before + added, after } : undefined;
}

const formatted = /^(\D*?)((?:(?<!\p{L})[.,])?\d(?:[\d.,]*\d)?)\D*$/u;

/**
 * Removes currency and grouping from a formatted number: `1.234,56 €` becomes `1234,56`. Of two different separators,
 * the last is the decimal separator. A repeated separator groups digits. A single one is the decimal separator, as in
 * typed text.
 * @returns an empty text unless there is exactly one number
 */
function cleanNumber(text: string): string {
  const [, lead = "", digits = ""] = text.replace(/[\s'\u2019]/g, "").match(formatted) ?? [];
  const [sign = ""] = lead.match(/[+-]/) ?? [];
  const separators = digits.match(/[.,]/g) ?? [];
  const groups = separators.length > 1 && new Set(separators).size === 1;
  const decimal = groups ? -1 : digits.lastIndexOf(separators.at(-1) ?? " ");
  return sign + digits.replace(/[.,]/g, (separator, index) => (index === decimal ? separator : ""));
}

/** Replaces digits and signs by those of a keyboard. */
function plain(text: string): string {
  return text.normalize("NFKC").replaceAll("\u2212", "-");
}

/**
 * An IBAN in groups of four. It has no autofill token. The keyboard offers letters, because many IBANs contain them.
 */
function IbanInput(props: InputProps) {
  return (
    <InputBase
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      maxLength={longestIban}
      {...props}
      type="text"
      ref={useEditRule(editIban)}
    />
  );
}

/** The length of the longest IBAN (34 characters, ISO 13616) in groups of four. */
const longestIban = 42;

const iban = /^[A-Z]{0,2}$|^[A-Z]{2}\d+$/;

/**
 * Keeps only letters and digits, in groups of four. Typed text must be two letters, then digits. Some countries' IBANs
 * have more letters (among them FR, GB, NL, IT, CH, TR and MT): these can be pasted or filled in. Once the text no
 * longer fits the pattern, each typed character is checked by its own place.
 */
function editIban({ before, inserted, after, typed }: Edit): CaretText | undefined {
  const start = compact(before);
  const added = typed ? compact(inserted) : compact(inserted).replace(/^IBAN(?=[A-Z]{2}\d)/, "");
  const end = compact(after);
  if (typed && !(added && fits(start, added, end))) return undefined;
  const text = (start + added + end).replace(/.{4}(?=.)/g, "$& ");
  const { length } = start + added;
  const caret = length + Math.max(0, Math.floor((length - 1) / 4));
  return { before: text.slice(0, caret), after: text.slice(caret) };
}

function fits(start: string, added: string, end: string): boolean {
  if (iban.test(start + end)) return iban.test(start + added + end);
  const letters = Math.max(0, 2 - start.length);
  return /^[A-Z]*$/.test(added.slice(0, letters)) && /^\d*$/.test(added.slice(letters));
}

/** Returns the letters and digits of a text, in capitals. */
function compact(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[^A-Za-z0-9]/g, "")
    .toUpperCase();
}
