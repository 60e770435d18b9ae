import type { CaretText } from "../../../../client/widgets/text-input/edit-rule.ts";

/** Reads a text with a bar as the caret. */
export function at(text: string): CaretText {
  const [before = "", after = ""] = text.split("|");
  return { before, after };
}

/** Writes a text with a bar as the caret. */
export function withBar(text: CaretText | undefined): string | undefined {
  return text && `${text.before}|${text.after}`;
}
