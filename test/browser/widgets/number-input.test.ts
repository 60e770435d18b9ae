import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { test as base } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";
import { autofill, paste, select, textWithCaret } from "./text-field.ts";

const example = base.extend("number", async ({ keptPage, shop }) => {
  const page = await keptPage(desktop);
  return async (name: string): Promise<Locator> => {
    const number = (await openExample(page, shop, "text-input", name)).getByLabel("Amount");
    await number.fill("");
    await number.focus();
    return number;
  };
});

describe("typing a number", () => {
  example.for([
    ["0123456789", "0123456789|"],
    ["-12,50", "-12,50|"],
    ["+1.5", "+1.5|"],
    ["1e5 x2€", "152|"],
    ["1,2,3.4", "1,234|"],
    ["1-2+", "12|"],
    ["--1", "-1|"],
  ] as const)("takes of %s what belongs to one", async ([typed, text], { number }) => {
    const field = await number("number");
    await field.pressSequentially(typed);
    expect(await textWithCaret(field)).toBe(text);
  });

  example("leaves editing and navigation to the keys for it", async ({ number }) => {
    const field = await number("number");
    await field.pressSequentially("1234");
    for (const key of ["Home", "ArrowRight", "Delete", "End", "ArrowLeft", "Backspace"]) await field.press(key);
    expect(await textWithCaret(field)).toBe("1|4");
    await field.press("ControlOrMeta+a");
    await field.press("7");
    expect(await textWithCaret(field)).toBe("7|");
    await field.press("Tab");
    await expect(field).not.toBeFocused();
  });

  example("blocks further digits at the maximum length", async ({ number }) => {
    const field = await number("number of four digits");
    await field.pressSequentially("12345");
    expect(await textWithCaret(field)).toBe("1234|");
    await select(field, 1, 2);
    await field.press("9");
    expect(await textWithCaret(field)).toBe("19|34");
  });
});

describe("pasting a number", () => {
  example.for([
    ["1.234,56 €", "1234,56|"],
    ["CHF 1’234.50", "1234.50|"],
    ["−1 234 567", "-1234567|"],
    ["no number", "|"],
  ] as const)("cleans %s", async ([pasted, text], { number }) => {
    const field = await number("number");
    await paste(field, pasted);
    expect(await textWithCaret(field)).toBe(text);
  });

  example("takes none that is too long, as a part would be another number", async ({ number }) => {
    const field = await number("number of four digits");
    await paste(field, "12345");
    expect(await field.inputValue()).toBe("");
    await paste(field, "1.234");
    expect(await field.inputValue()).toBe("");
  });
});

describe("a number", () => {
  example("is undone and redone", async ({ number }) => {
    const field = await number("number");
    await field.pressSequentially("12");
    await paste(field, "1.234,56 €");
    expect(await field.inputValue()).toBe("121234,56");
    await field.press("ControlOrMeta+z");
    expect(await field.inputValue()).toBe("12");
    await field.press("ControlOrMeta+Shift+z");
    expect(await field.inputValue()).toBe("121234,56");
  });

  example("is cleaned when the browser fills it in", async ({ number }) => {
    const field = await number("number");
    await autofill(field, "1.234,56 €");
    expect(await field.inputValue()).toBe("1234,56");
  });
});
