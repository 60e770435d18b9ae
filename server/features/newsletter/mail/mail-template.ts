import { randomBytes } from "node:crypto";

/** What a mail has of its own, as it stands in its text. */
export type MailValues = Record<(typeof valueNames)[number], string>;

const valueNames = [
  ...(["subscriberToken", "unsubscribeToken", "untilDate", "untilTime"] as const),
  ...(["code", "discount", "validUntil"] as const),
];

/** Writes a text with the values of a mail. */
export type FillIn = (values: MailValues) => string;

/** How the parts of a template are written, such as escaped. The parts stay apart, as each is encoded once. */
interface TemplateOptions {
  /** Writes a text between two values, once. */
  encodeText?(text: string): string;
  /** Writes a value of each mail. */
  encodeValue?(value: string): string;
  /** Joins the parts. */
  join?(parts: readonly string[]): string;
}

/** Nobody can guess it, so it stands in no text. Neither escaping nor the rules of a language change it. */
const mark = `v${randomBytes(16).toString("hex")}`;
const marks = new RegExp(`${mark}(\\w+?)${mark}`);
const marked = Object.fromEntries(valueNames.map((name) => [name, `${mark}${name}${mark}`])) as MailValues;

const asIs = (text: string) => text;

/**
 * Writes a text once, with marks for the values, and returns what fills them in. The result is the same as if the text were
 * written with the values: where a value brings a full stop, the one after it is left out, as in all texts.
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
