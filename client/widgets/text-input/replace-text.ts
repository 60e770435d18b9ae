import type { CaretText } from "./edit-rule.ts";

/**
 * Puts a text and the caret into an input as if a visitor had done it: undo and redo go on working, and listeners hear
 * of it. Only the part that differs is replaced, so undo leads the caret back to where it was.
 */
export function replaceText(input: HTMLInputElement, { before, after }: CaretText): void {
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
    // Deprecated, yet the only way into the browser's undo history: test/browser/widgets/iban-input.test.ts
    if (document.execCommand(replacement ? "insertText" : "delete", false, replacement)) return;
  }
  // Not `value`: React would take it for a change of its own and not report it.
  input.setRangeText(replacement, start, end, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
