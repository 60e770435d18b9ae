import { type RefCallback, useCallback } from "react";

/** A text with a caret. */
export interface CaretText {
  before: string;
  after: string;
}

/** An insertion at the caret, or a deletion. */
export interface Edit extends CaretText {
  /** Empty for a deletion. */
  inserted: string;
  /**
   * Whether it was typed with nothing selected. Otherwise it was pasted, filled in or deleted, or replaces a selection.
   */
  typed: boolean;
}

/** Returns the text after an edit, or undefined to block the edit. */
type EditRule = (edit: Edit) => CaretText | undefined;

/**
 * The text that a deletion removes before and after the caret, by the event's input type
 * (https://www.w3.org/TR/input-events-2/#interface-InputEvent-Attributes). A space is removed with the character that
 * it separates.
 */
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

const insertions = ["insertText", "insertFromPaste", "insertFromYank", "insertReplacementText"];

/** The text of an input before and after its selection. */
interface TextSelection extends CaretText {
  /** Whether nothing is selected. */
  empty: boolean;
}

function readTextSelection({ value, selectionStart, selectionEnd }: HTMLInputElement): TextSelection {
  const start = selectionStart ?? value.length;
  const end = selectionEnd ?? start;
  return { before: value.slice(0, start), after: value.slice(end), empty: start === end };
}

/** Reads the edit of a `beforeinput` event. Undefined for edits that the browser handles: undo, drop, Enter. */
function readEdit({ inputType, data }: InputEvent, selection: TextSelection): Edit | undefined {
  const { before, after, empty } = selection;
  if (insertions.includes(inputType)) {
    return { before, inserted: data ?? "", after, typed: empty && inputType === "insertText" };
  }
  if (!inputType.startsWith("delete")) return undefined;
  const { before: back = "", after: ahead = "" } = (empty && deleted[inputType]) || {};
  return { before: before.replace(back, ""), inserted: "", after: after.replace(ahead, ""), typed: false };
}

/** Applies a rule to every edit of an input that React doesn't control. Pass the returned ref to the input. */
export function useEditRule(rule: EditRule): RefCallback<HTMLInputElement> {
  return useCallback((input: HTMLInputElement) => watchEdits(input, rule), [rule]);
}

/**
 * Applies a rule to every edit of an input. Typing, pasting and deleting are handled before they happen
 * (`beforeinput`), each as one step of the undo history. Other edits are corrected afterwards: autofill, drop, input
 * methods, text from before hydration.
 * @returns a function that stops it
 */
function watchEdits(input: HTMLInputElement, rule: EditRule): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  let composing: TextSelection | undefined;
  let putting = false;
  /** The last text written by this module, because WebKit reports a deletion late. */
  let known: string | undefined;

  function put(text: CaretText) {
    putting = true;
    known = text.before + text.after;
    replaceText(input, text);
    putting = false;
  }

  function decideBefore(event: InputEvent) {
    if (putting || event.isComposing || !event.cancelable) return;
    const edit = readEdit(event, readTextSelection(input));
    if (!edit) return;
    event.preventDefault();
    const text = rule(edit);
    if (text && !isTooLong(input, text)) put(text);
  }

  function putRight() {
    put(rule({ before: "", inserted: input.value, after: "", typed: false }) ?? { before: "", after: "" });
  }

  function decideAfter(event: Event) {
    const { isComposing = false, inputType = "" } = event as Partial<InputEvent>;
    if (input.value !== known && !isComposing && !inputType.startsWith("history")) putRight();
  }

  function startComposing() {
    composing = readTextSelection(input);
  }

  function endComposing({ data }: CompositionEvent) {
    if (composing) put(rule({ ...composing, inserted: data, typed: composing.empty }) ?? composing);
    composing = undefined;
  }

  input.addEventListener("beforeinput", decideBefore, { signal });
  input.addEventListener("input", decideAfter, { signal });
  input.addEventListener("compositionstart", startComposing, { signal });
  input.addEventListener("compositionend", endComposing, { signal });
  if (input.value) putRight();
  return () => listeners.abort();
}

function isTooLong({ value, maxLength }: HTMLInputElement, { before, after }: CaretText): boolean {
  const { length } = before + after;
  return maxLength >= 0 && length > maxLength && length > value.length;
}

/**
 * Replaces an input's text and caret as if a visitor had done it: undo and redo keep working, and listeners are
 * notified. Replaces only the part that differs, so that undo restores the caret.
 */
function replaceText(input: HTMLInputElement, { before, after }: CaretText): void {
  const text = before + after;
  if (input.value !== text) replaceDifference(input, text);
  if (input.matches(":focus")) input.setSelectionRange(before.length, before.length);
}

function replaceDifference(input: HTMLInputElement, text: string) {
  const { value } = input;
  const shorter = Math.min(value.length, text.length);
  let start = 0;
  while (start < shorter && value[start] === text[start]) start++;
  let same = 0;
  while (same < shorter - start && value.at(-1 - same) === text.at(-1 - same)) same++;
  const end = value.length - same;
  const replacement = text.slice(start, text.length - same);

  if (input.matches(":focus")) {
    input.setSelectionRange(start, end);
    // Deprecated, but the only way to write to the browser's undo history.
    if (document.execCommand(replacement ? "insertText" : "delete", false, replacement)) return;
  }
  // Doesn't set `value`: React would take that for its own change and ignore it.
  input.setRangeText(replacement, start, end, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
