import { describe, expect } from "vitest";
import type { Shop } from "../../browser/start-shop.ts";
import { test } from "../engine-test.ts";
import type { Visitor } from "../visitor.ts";

describe("an input", () => {
  test.for([
    ["number", "123456", 3, "12|456", "129|456"],
    ["iban", "DE893704", 4, "DE8|3 704", "DE89| 3704"],
  ] as const)(
    "of type %s leaves the caret where a digit was deleted, and takes the next one there",
    async ([type, typed, caret, deleted, replaced], { shop, visitor }) => {
      const field = `${await openExample(visitor, shop, "text-input", type)} input`;
      await visitor.write(field, typed);
      await setCaret(visitor, field, caret);
      await visitor.press("Backspace");
      await expect.poll(() => visitor.look(field, textWithCaret)).toBe(deleted);
      await visitor.type("9");
      await expect.poll(() => visitor.look(field, textWithCaret)).toBe(replaced);
    },
  );
});

describe("a modal", () => {
  test("keeps Tab inside, closes on Escape, and gives the focus back", async ({ shop, visitor }) => {
    const stage = await openExample(visitor, shop, "modal", "size M");
    await visitor.click(`${stage} button`);
    await expect.poll(() => visitor.hasFocus("dialog[open] *")).toBe(true);
    for (const key of ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"] as const) {
      await visitor.press(key);
      expect(await visitor.hasFocus("dialog[open] *"), key).toBe(true);
    }
    await visitor.press("Escape");
    await expect.poll(() => visitor.isShown("dialog")).toBe(false);
    expect(await visitor.hasFocus(`${stage} button`)).toBe(true);
  });
});

/**
 * Opens a widget's page at an example.
 * @returns a selector of the example's part of the page
 */
async function openExample(visitor: Visitor, shop: Shop, widget: string, example: string): Promise<string> {
  await visitor.open(`${shop.listener}/widgets/${widget}`);
  const specimen = `[data-widget="${widget}"][data-example="${example}"]`;
  await visitor.wake(`${specimen} [data-island]`);
  return `${specimen} .sf-specimen-stage`;
}

/** The text with the caret as a bar. */
function textWithCaret(field: HTMLElement): string {
  const { value, selectionStart } = field as HTMLInputElement;
  return `${value.slice(0, selectionStart ?? 0)}|${value.slice(selectionStart ?? 0)}`;
}

async function setCaret(visitor: Visitor, field: string, caret: number) {
  await visitor.look(
    field,
    (input, place: number) => (input as HTMLInputElement).setSelectionRange(place, place),
    caret,
  );
}
