import { randomBytes } from "node:crypto";

/** The values of a single email, as written in its text. */
export type MailValues = Record<(typeof valueNames)[number], string>;

const valueNames = [
  ...(["subscriberToken", "unsubscribeToken", "preferencesToken", "untilDate", "untilTime"] as const),
  ...(["code", "discount", "validUntil"] as const),
];

/** Writes a text with the values of a mail. */
export type FillIn = (values: MailValues) => string;

/**
 * How the parts of a template are written, for example escaped. Parts are encoded separately, so that each needs to be
 * encoded only once.
 */
interface TemplateOptions {
  /** Writes the text between two values. Called once. */
  encodeText?(text: string): string;
  /** Writes a value. Called for each email. */
  encodeValue?(value: string): string;
  /** Joins the parts. */
  join?(parts: readonly string[]): string;
}

/** Nobody can guess it, so no text contains it. Neither escaping nor the rules of a language change it. */
const mark = `v${randomBytes(16).toString("hex")}`;
const marks = new RegExp(`${mark}(\\w+?)${mark}`);
const marked = Object.fromEntries(valueNames.map((name) => [name, `${mark}${name}${mark}`])) as MailValues;

const asIs = (text: string) => text;

/**
 * Writes a text once, with marks for the values, and returns the function that fills them in. The result is the same as
 * if the text were written with the values. If a value ends with a full stop, the one after it is removed, as in all
 * texts.
 */
export function createTemplate(
  write: FillIn,
  { encodeText = asIs, encodeValue = asIs, join = (parts) => parts.join("") }: TemplateOptions = {},
): FillIn {
  const [start = "", ...rest] = write(marked).split(marks);
  const first = encodeText(start);
  const gaps = rest.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    const text = rest[index + 1] ?? "";
    const withoutStop = text.startsWith(".") && !text.startsWith("..") ? text.slice(1) : text;
    return [{ name: name as keyof MailValues, text: encodeText(text), withoutStop: encodeText(withoutStop) }];
  });
  return (values) =>
    join([
      first,
      ...gaps.flatMap(({ name, text, withoutStop }) => {
        const value = values[name];
        return [encodeValue(value), value.endsWith(".") ? withoutStop : text];
      }),
    ]);
}
