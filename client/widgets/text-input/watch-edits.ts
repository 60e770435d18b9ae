import type { CaretText, EditRule } from "./edit-rule.ts";
import { readEdit, readTextSelection, type TextSelection } from "./read-edit.ts";
import { replaceText } from "./replace-text.ts";

/**
 * Lets a rule decide on every edit of an input.
 *
 * Typing, pasting and deleting are decided before they happen (`beforeinput`), as one step of the undo history. What
 * can't be known or stopped before (filling in, dropping, what an input method composes, text from before hydration) is
 * corrected after it happened.
 * @returns a function that stops it
 */
export function watchEdits(input: HTMLInputElement, rule: EditRule): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  let composing: TextSelection | undefined;
  let putting = false;
  /** What was put last. WebKit tells of a deletion when it is long over: test/browser/widgets/iban-input.test.ts */
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
