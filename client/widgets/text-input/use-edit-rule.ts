import { type Ref, type RefCallback, useCallback } from "react";
import { attachRef } from "./attach-ref.ts";
import { type CaretText, type EditRule, readEdit, readTextSelection, type TextSelection } from "./edit-rule.ts";

/**
 * Applies a rule to every edit of an input that React doesn't control.
 * @param ref - the caller's ref, which receives the element, too
 */
export function useEditRule(rule: EditRule, ref: Ref<HTMLInputElement> | undefined): RefCallback<HTMLInputElement> {
  return useCallback(
    (input: HTMLInputElement) => {
      const stop = watchEdits(input, rule);
      const release = attachRef(ref, input);
      return () => {
        stop();
        release();
      };
    },
    [rule, ref],
  );
}

/**
 * Applies a rule to every edit of an input.
 *
 * Typing, pasting and deleting are handled before they happen (`beforeinput`), as one step of the undo history. Edits that
 * can't be known or stopped (autofill, drop, input methods, text from before hydration) are corrected afterwards.
 * @returns a function that stops it
 */
function watchEdits(input: HTMLInputElement, rule: EditRule): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  let composing: TextSelection | undefined;
  let putting = false;
  /** The text that was put last: WebKit reports a deletion late. */
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
 * Replaces an input's text and caret as if a visitor had done it: undo and redo keep working, and listeners are notified.
 * Only the part that differs is replaced, so undo restores the caret.
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
    // Deprecated, but the only way into the browser's undo history.
    if (document.execCommand(replacement ? "insertText" : "delete", false, replacement)) return;
  }
  // Not `value`: React would ignore it as a change of its own.
  input.setRangeText(replacement, start, end, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
