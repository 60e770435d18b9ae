import { deleteAtCaret } from "./deletion.ts";
import type { CaretText, Edit } from "./edit-rule.ts";

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

/** What a `beforeinput` event is about to do to a text; undefined for what is left to the browser: undo, drop, Enter. */
export function readEdit({ inputType, data }: InputEvent, selection: TextSelection): Edit | undefined {
  const { before, after, empty } = selection;
  if (insertions.includes(inputType)) {
    return { before, inserted: data ?? "", after, typed: empty && inputType === "insertText" };
  }
  if (!inputType.startsWith("delete")) return undefined;
  const rest = empty ? deleteAtCaret(inputType, selection) : { before, after };
  return { ...rest, inserted: "", typed: false };
}
