import type { Locator } from "playwright";

/** Sets the caret, or selects. */
export function select(field: Locator, start: number, end = start): Promise<void> {
  return field.evaluate((input: HTMLInputElement, range) => input.setSelectionRange(...range), [start, end] as const);
}

/** The text with the caret as a bar. */
export function textWithCaret(field: Locator): Promise<string> {
  return field.evaluate(({ value, selectionStart }: HTMLInputElement) => {
    const caret = selectionStart ?? 0;
    return `${value.slice(0, caret)}|${value.slice(caret)}`;
  });
}

/** Pastes from the clipboard where the caret is, as a visitor does. */
export async function paste(field: Locator, text: string): Promise<void> {
  const { keyboard } = field.page();
  const selection = await field.evaluate((input: HTMLInputElement, copied) => {
    const source = document.body.appendChild(document.createElement("textarea"));
    source.value = copied;
    source.select();
    return [input.selectionStart ?? 0, input.selectionEnd ?? 0] as const;
  }, text);
  await keyboard.press("ControlOrMeta+c");
  await field.page().evaluate(() => document.activeElement?.remove());
  await field.focus();
  await select(field, ...selection);
  await keyboard.press("ControlOrMeta+v");
}

/** Sets the text as browsers fill it in: all at once, whether the field has the focus or not. */
export function autofill(field: Locator, text: string): Promise<void> {
  return field.evaluate((input: HTMLInputElement, filled) => {
    input.setRangeText(filled, 0, input.value.length, "end");
    input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertReplacementText" }));
  }, text);
}

/** Writes through an input method, as keyboards of phones do. */
export async function compose(field: Locator, text: string): Promise<void> {
  const session = await field.page().context().newCDPSession(field.page());
  await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  await session.send("Input.insertText", { text });
  await session.detach();
}
