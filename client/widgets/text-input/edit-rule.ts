/** A text with a caret. */
export interface CaretText {
  before: string;
  after: string;
}

/** An insertion at the caret, or a deletion. */
export interface Edit extends CaretText {
  /** Empty for a deletion. */
  inserted: string;
  /** Whether it was typed with nothing selected; else it was pasted, filled in, deleted or replaces a selection. */
  typed: boolean;
}

/** Returns the text after an edit, or undefined to block the edit. */
export type EditRule = (edit: Edit) => CaretText | undefined;

/** The deleted text before and after the caret, by `inputType`. A space goes with the character that it separates. */
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
 * Deletes at the caret.
 * @param inputType - the event's type of edit, https://www.w3.org/TR/input-events-2/#interface-InputEvent-Attributes
 */
export function deleteAtCaret(inputType: string, { before, after }: CaretText): CaretText {
  const { before: back, after: ahead } = deleted[inputType] ?? {};
  return { before: back ? before.replace(back, "") : before, after: ahead ? after.replace(ahead, "") : after };
}

const insertions = ["insertText", "insertFromPaste", "insertFromYank", "insertReplacementText"];

/** The text of an input before and after its selection. */
export interface TextSelection extends CaretText {
  /** Whether nothing is selected. */
  empty: boolean;
}

export function readTextSelection({ value, selectionStart, selectionEnd }: HTMLInputElement): TextSelection {
  const start = selectionStart ?? value.length;
  const end = selectionEnd ?? start;
  return { before: value.slice(0, start), after: value.slice(end), empty: start === end };
}

/** Reads the edit of a `beforeinput` event; undefined for edits left to the browser: undo, drop, Enter. */
export function readEdit({ inputType, data }: InputEvent, selection: TextSelection): Edit | undefined {
  const { before, after, empty } = selection;
  if (insertions.includes(inputType)) {
    return { before, inserted: data ?? "", after, typed: empty && inputType === "insertText" };
  }
  if (!inputType.startsWith("delete")) return undefined;
  const rest = empty ? deleteAtCaret(inputType, selection) : { before, after };
  return { ...rest, inserted: "", typed: false };
}
