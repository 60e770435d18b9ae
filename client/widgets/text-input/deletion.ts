import type { CaretText } from "./edit-rule.ts";

/** What is deleted before and after the caret, by `inputType`. A space goes with the character that it separates. */
const deleted: Record<string, { before?: RegExp; after?: RegExp }> = {
  deleteContentBackward: { before: /\S?\s*$/ },
  deleteContentForward: { after: /^\s*\S?/ },
  deleteWordBackward: { before: /\S*\s*$/ },
  deleteWordForward: { after: /^\s*\S*/ },
  deleteSoftLineBackward: { before: /.*$/ },
  deleteSoftLineForward: { after: /^.*/ },
  deleteHardLineBackward: { before: /.*$/ },
  deleteHardLineForward: { after: /^.*/ },
};

/**
 * What stays of a text when one deletes at the caret.
 * @param inputType - the event's type of edit, https://www.w3.org/TR/input-events-2/#interface-InputEvent-Attributes
 */
export function deleteAtCaret(inputType: string, { before, after }: CaretText): CaretText {
  const { before: back, after: ahead } = deleted[inputType] ?? {};
  return { before: back ? before.replace(back, "") : before, after: ahead ? after.replace(ahead, "") : after };
}
