import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { test as base } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

const grouped = "DE89 3704 0044 0532 0130 00";
const withLetters = "GB82 WEST 1234 5698 7654 32";

/** A test with empty fields that have the focus, and with a filled-in password that is hidden. */
const test = base
  .extend("field", async ({ keptPage, shop }) => async (example: string, label: string): Promise<Locator> => {
    const field = (await openExample(await keptPage(desktop), shop, "text-input", example)).getByLabel(label);
    await field.fill("");
    await field.focus();
    return field;
  })
  .extend("iban", ({ field }): Promise<Locator> => field("iban", "IBAN"))
  .extend("number", ({ field }): Promise<Locator> => field("number", "Amount"))
  .extend("shortNumber", ({ field }): Promise<Locator> => field("number of four digits", "Amount"))
  .extend("stage", async ({ sharedPage, shop }): Promise<Locator> => {
    const stage = await openExample(await sharedPage(desktop), shop, "text-input", "password");
    const hide = stage.getByRole("button", { name: "Hide password" });
    if (await hide.isVisible()) await hide.click();
    await stage.getByLabel("Password", { exact: true }).fill("Espresso");
    return stage;
  });

describe("typing an IBAN", () => {
  test("groups it in fours, in capitals", async ({ iban }) => {
    await iban.pressSequentially("de89370400440532013000");
    expect(await textWithCaret(iban)).toBe(`${grouped}|`);
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
  test("replaces the selection only", async ({ iban }) => {
    await iban.pressSequentially("DE893704");
    await select(iban, 5, 9);
    await paste(iban, "1111 22");
    expect(await textWithCaret(iban)).toBe("DE89 1111 22|");
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

describe("typing a number", () => {
  test("takes what belongs to one", async ({ number: field }) => {
    await field.pressSequentially("1e5 x2€");
    expect(await textWithCaret(field)).toBe("152|");
  });

  test("blocks further digits at the maximum length", async ({ shortNumber: field }) => {
    await field.pressSequentially("12345");
    expect(await textWithCaret(field)).toBe("1234|");
    await select(field, 1, 2);
    await field.press("9");
    expect(await textWithCaret(field)).toBe("19|34");
  });
});

describe("pasting a number", () => {
  test("cleans it", async ({ number: field }) => {
    await paste(field, "1.234,56 €");
    expect(await textWithCaret(field)).toBe("1234,56|");
  });

  test("takes none that is too long, as a part would be another number", async ({ shortNumber: field }) => {
    await paste(field, "12345");
    expect(await field.inputValue()).toBe("");
    await paste(field, "1.234");
    expect(await field.inputValue()).toBe("");
  });
});

describe("a password", () => {
  test("is shown and hidden by a button that says what it does", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await expect(password).toHaveAttribute("type", "password");
    await stage.getByRole("button", { name: "Show password, Password", exact: true }).click();
    await expect(password).toHaveAttribute("type", "text");
    await expect(stage.getByRole("status")).toHaveText("Your password is shown.");
    await stage.getByRole("button", { name: "Hide password, Password", exact: true }).press("Enter");
    await expect(password).toHaveAttribute("type", "password");
    await expect(stage.getByRole("status")).toHaveText("Your password is hidden.");
  });

  test("keeps the focus and the caret when it is shown with the mouse", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await password.focus();
    await select(password, 3);
    await stage.getByRole("button").click();
    await expect(password).toBeFocused();
    expect(await textWithCaret(password)).toBe("Esp|resso");
    await stage.getByRole("button").click();
    expect(await textWithCaret(password)).toBe("Esp|resso");
  });

  test("is hidden before its form is sent", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await stage.getByRole("button").click();
    const sentAs = await password.evaluate((input: HTMLInputElement) => {
      const form = document.createElement("form");
      input.closest(".sf-specimen-stage")?.before(form);
      form.append(...(form.nextElementSibling?.childNodes ?? []));
      let type = "";
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        type = input.type;
      });
      form.requestSubmit();
      form.nextElementSibling?.append(...form.childNodes);
      form.remove();
      return type;
    });
    expect(sentAs).toBe("password");
  });

  test("is hidden when the page comes back from the browser's memory", async ({ stage }) => {
    await stage.getByRole("button").click();
    await stage.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await expect(stage.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
  });

  test("has no button where there is no script", async ({ newPage, shop }) => {
    const page = await newPage({ ...desktop, javaScriptEnabled: false });
    await page.goto(`${shop.listener}/widgets/text-input`);
    const stage = page.locator('[data-widget="text-input"][data-example="password"] .sf-specimen-stage');
    await expect(stage.getByLabel("Password", { exact: true })).toBeVisible();
    await expect(stage.getByRole("button")).toHaveCount(0);
  });
});

/** Sets the caret, or selects. */
function select(field: Locator, start: number, end = start): Promise<void> {
  return field.evaluate((input: HTMLInputElement, range) => input.setSelectionRange(...range), [start, end] as const);
}

/** The text with the caret as a bar. */
function textWithCaret(field: Locator): Promise<string> {
  return field.evaluate(({ value, selectionStart }: HTMLInputElement) => {
    const caret = selectionStart ?? 0;
    return `${value.slice(0, caret)}|${value.slice(caret)}`;
  });
}

/** Pastes from the clipboard where the caret is, as a visitor does. */
async function paste(field: Locator, text: string): Promise<void> {
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
function autofill(field: Locator, text: string): Promise<void> {
  return field.evaluate((input: HTMLInputElement, filled) => {
    input.setRangeText(filled, 0, input.value.length, "end");
    input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertReplacementText" }));
  }, text);
}

/** Writes through an input method, as keyboards of phones do. */
async function compose(field: Locator, text: string): Promise<void> {
  const session = await field.page().context().newCDPSession(field.page());
  await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  await session.send("Input.insertText", { text });
  await session.detach();
}
