import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { test as base } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";
import { autofill, compose, paste, select, textWithCaret } from "./text-field.ts";

const grouped = "DE89 3704 0044 0532 0130 00";
const withLetters = "GB82 WEST 1234 5698 7654 32";

const test = base.extend("iban", async ({ keptPage, shop }): Promise<Locator> => {
  const page = await keptPage(desktop);
  const iban = (await openExample(page, shop, "text-input", "iban")).getByLabel("IBAN");
  await iban.fill("");
  await iban.focus();
  return iban;
});

describe("typing an IBAN", () => {
  test("groups it in fours, in capitals", async ({ iban }) => {
    await iban.pressSequentially("de89370400440532013000");
    expect(await textWithCaret(iban)).toBe(`${grouped}|`);
  });

  test("blocks digits first, letters later and everything that is neither", async ({ iban }) => {
    await iban.pressSequentially("8-d.9 e f8x-9");
    expect(await textWithCaret(iban)).toBe("DE89|");
  });

  test("blocks nothing while text is selected", async ({ iban }) => {
    await iban.pressSequentially("DE893704");
    await select(iban, 2, 4);
    await iban.press("x");
    expect(await textWithCaret(iban)).toBe("DEX|3 704");
    await select(iban, 0, 9);
    await iban.press("7");
    expect(await textWithCaret(iban)).toBe("7|");
  });

  test("ends at 34 characters", async ({ iban }) => {
    await iban.pressSequentially(`MT${"1".repeat(40)}`);
    expect((await iban.inputValue()).replaceAll(" ", "")).toHaveLength(34);
  });

  test("keeps the caret behind what was typed in the middle", async ({ iban }) => {
    await iban.pressSequentially("DE8937040044");
    await select(iban, 4);
    await iban.pressSequentially("12");
    expect(await textWithCaret(iban)).toBe("DE89 12|37 0400 44");
  });

  test("tells listeners the grouped text only", async ({ iban }) => {
    await iban.evaluate((input: HTMLInputElement) => {
      input.dataset.heard = "";
      document.addEventListener("input", () => (input.dataset.heard += `${input.value};`));
    });
    await iban.pressSequentially("de893x7");
    await expect(iban).toHaveAttribute("data-heard", "D;DE;DE8;DE89;DE89 3;DE89 37;");
  });

  test("works through an input method, too", async ({ iban }) => {
    await compose(iban, "de8937");
    expect(await textWithCaret(iban)).toBe("DE89 37|");
    await compose(iban, "x");
    expect(await textWithCaret(iban)).toBe("DE89 37|");
  });
});

describe("deleting in an IBAN", () => {
  test("takes characters, not spaces", async ({ iban }) => {
    await iban.pressSequentially("DE89370400");
    await select(iban, 5);
    await iban.press("Backspace");
    expect(await textWithCaret(iban)).toBe("DE8|3 7040 0");
    await select(iban, 5);
    await iban.press("Delete");
    expect(await textWithCaret(iban)).toBe("DE83| 0400");
  });

  test("leaves the caret in its place when the browser tells of it late, as WebKit does", async ({ iban }) => {
    await iban.pressSequentially("DE893704");
    await select(iban, 4);
    await iban.press("Backspace");
    await iban.evaluate((input) => {
      input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "deleteContentBackward" }));
    });
    await iban.pressSequentially("5");
    expect(await textWithCaret(iban)).toBe("DE85| 3704");
  });

  test("takes groups, selections and all before the caret", async ({ iban }) => {
    await iban.pressSequentially("DE8937040044");
    await iban.press("ControlOrMeta+Backspace");
    expect(await textWithCaret(iban)).toBe("DE89 3704|");
    await select(iban, 3, 6);
    await iban.press("Delete");
    expect(await textWithCaret(iban)).toBe("DE8|7 04");
  });

  test("cuts to the clipboard", async ({ iban }) => {
    await iban.pressSequentially("DE8937040044");
    await select(iban, 0, 5);
    await iban.press("ControlOrMeta+x");
    expect(await textWithCaret(iban)).toBe("|3704 0044");
    await iban.press("ControlOrMeta+v");
    expect(await textWithCaret(iban)).toBe("DE89| 3704 0044");
  });
});

describe("pasting an IBAN", () => {
  test.for([
    ["lower case", "de89370400440532013000", grouped],
    ["dashes", "DE89-3704-0044-0532-0130-00", grouped],
    ["odd spaces", "\tDE 8937 0400\u00A04405 3201 3000 \n", grouped],
    ["a prefix", "IBAN: DE89 3704 0044 0532 0130 00", grouped],
    ["letters further on", "gb82west12345698765432", withLetters],
  ] as const)("takes %s", async ([, pasted, text], { iban }) => {
    await paste(iban, pasted);
    expect(await textWithCaret(iban)).toBe(`${text}|`);
  });

  test("replaces the selection only", async ({ iban }) => {
    await iban.pressSequentially("DE893704");
    await select(iban, 5, 9);
    await paste(iban, "1111 22");
    expect(await textWithCaret(iban)).toBe("DE89 1111 22|");
  });

  test("leaves one with letters further on to be edited", async ({ iban }) => {
    await paste(iban, "GB82WEST");
    await iban.pressSequentially("x1");
    expect(await textWithCaret(iban)).toBe("GB82 WEST 1|");
  });
});

describe("undo in an IBAN", () => {
  test("goes back and forth through typing, deleting and pasting", async ({ iban }) => {
    await iban.pressSequentially("DE893");
    await paste(iban, "704 0044");
    await select(iban, 5);
    await iban.press("Backspace");
    expect(await iban.inputValue()).toBe("DE83 7040 044");
    await iban.press("ControlOrMeta+z");
    expect(await iban.inputValue()).toBe("DE89 3704 0044");
    await iban.press("ControlOrMeta+z");
    expect(await iban.inputValue()).toBe("DE89 3");
    await iban.press("ControlOrMeta+Shift+z");
    await iban.press("ControlOrMeta+Shift+z");
    expect(await iban.inputValue()).toBe("DE83 7040 044");
  });
});

describe("filling in an IBAN", () => {
  test("groups it, whether the field has the focus or not", async ({ iban }) => {
    await autofill(iban, "de89370400440532013000");
    expect(await textWithCaret(iban)).toBe(`${grouped}|`);
    await iban.blur();
    await autofill(iban, "GB82WEST12345698765432");
    expect(await iban.inputValue()).toBe(withLetters);
  });
});
