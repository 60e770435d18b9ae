import type { Locator } from "playwright";
import { describe } from "vitest";
import { expect } from "../expect.ts";
import { test as base } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

/** A test with a focused field of an example, and with a hidden password that is filled in. */
const test = base
  .extend("field", ({ sharedPage, shop }) => async (example: string, label: string): Promise<Locator> => {
    const field = (await openExample(await sharedPage(desktop), shop, "text-input", example)).getByLabel(label);
    await field.focus();
    return field;
  })
  .extend("iban", ({ field }): Promise<Locator> => field("iban", "IBAN"))
  .extend("number", ({ field }): Promise<Locator> => field("number", "Amount"))
  .extend("stage", async ({ sharedPage, shop }): Promise<Locator> => {
    const stage = await openExample(await sharedPage(desktop), shop, "text-input", "password");
    await stage.getByLabel("Password", { exact: true }).fill("Espresso");
    return stage;
  });

describe("an IBAN", () => {
  test("takes two letters, then digits, in groups of four", async ({ iban }) => {
    await iban.pressSequentially("de89370400440532013000");
    expect(await read(iban)).toBe("DE89 3704 0044 0532 0130 00|");
    for (const [text, key, result] of [
      ["DE|9 3704", "8", "DE8|9 3704"],
      ["DE8|3 704", "9", "DE89| 3704"],
      ["DE89| 3704", "1", "DE89 1|370 4"],
      ["|89 3704", "D", "D|893 704"],
      ["GB82 WEST|", "1", "GB82 WEST 1|"],
      ...["|8", "D|8", "DE|x", "DE89|x", "|1DE89", "|XDE89", "DE89|-", "DE89|é", "GB82 WEST|x"].map(blocked),
    ] as const) {
      await write(iban, text);
      await iban.pressSequentially(key);
      expect(await read(iban), `${key} in ${text}`).toBe(result);
    }
  });

  test("blocks nothing while text is selected", async ({ iban }) => {
    await iban.fill("DE893704");
    await select(iban, 2, 4);
    await iban.press("x");
    expect(await read(iban)).toBe("DEX|3 704");
    await select(iban, 0, 9);
    await iban.press("7");
    expect(await read(iban)).toBe("7|");
  });

  test("takes at most 34 characters", async ({ iban }) => {
    await iban.pressSequentially(`MT${"1".repeat(34)}`);
    expect((await iban.inputValue()).replaceAll(" ", "")).toHaveLength(34);
  });

  test("takes what an input method composes", async ({ iban }) => {
    await compose(iban, "de8937");
    expect(await read(iban)).toBe("DE89 37|");
    await compose(iban, "x");
    expect(await read(iban)).toBe("DE89 37|");
  });

  test("loses characters, not spaces, by a deletion", async ({ iban }) => {
    for (const [type, text, rest] of [
      ["deleteContentBackward", "DE89 |3704", "DE8|3 704"],
      ["deleteContentForward", "DE89| 3704", "DE89| 704"],
      ["deleteWordBackward", "DE89 37|", "DE89|"],
      ["deleteWordForward", "DE89| 3704 1", "DE89| 1"],
      ["deleteSoftLineBackward", "DE89 3|7", "|7"],
    ] as const) {
      await write(iban, text);
      await edit(iban, type);
      expect(await read(iban), `${type} in ${text}`).toBe(rest);
    }
  });

  test("is read from any notation when it is pasted", async ({ iban }) => {
    for (const pasted of [
      "de89 3704 0044 0532 0130 00",
      "IBAN: DE89-3704-0044-0532-0130-00",
      "ＤＥ８９ 3704 0044 0532 0130 00",
    ]) {
      await write(iban, "|");
      await edit(iban, "insertFromPaste", pasted);
      expect(await read(iban), pasted).toBe("DE89 3704 0044 0532 0130 00|");
    }
    await write(iban, "DE89 3704");
    await select(iban, 5, 9);
    await edit(iban, "insertFromPaste", "1111 22");
    expect(await read(iban)).toBe("DE89 1111 22|");
  });

  test("is cut, pasted and undone by the keyboard", async ({ iban }) => {
    await iban.pressSequentially("DE893704");
    await select(iban, 0, 5);
    await iban.press("ControlOrMeta+x");
    expect(await read(iban)).toBe("|3704");
    await iban.press("ControlOrMeta+v");
    expect(await read(iban)).toBe("DE89| 3704");
    await iban.press("Backspace");
    expect(await iban.inputValue()).toBe("DE83 704");
    await iban.press("ControlOrMeta+z");
    expect(await read(iban)).toBe("DE8|9 3704");
    await iban.press("ControlOrMeta+z");
    expect(await iban.inputValue()).toBe("3704");
    await iban.press("ControlOrMeta+Shift+z");
    await iban.press("ControlOrMeta+Shift+z");
    expect(await iban.inputValue()).toBe("DE83 704");
  });

  test("is grouped when the browser fills it in, whether it has the focus or not", async ({ iban }) => {
    await autofill(iban, "de89370400440532013000");
    expect(await read(iban)).toBe("DE89 3704 0044 0532 0130 00|");
    await iban.blur();
    await autofill(iban, "GB82WEST12345698765432");
    expect(await iban.inputValue()).toBe("GB82 WEST 1234 5698 7654 32");
  });
});

describe("a number", () => {
  test("takes digits with a sign and a decimal separator", async ({ number }) => {
    for (const text of ["-7,5", "+420", ",5", "7.25", "0123456789"]) {
      await write(number, "|");
      await number.pressSequentially(text);
      expect(await read(number)).toBe(`${text}|`);
    }
    for (const [text, key, result] of ["|a", "7|e", "7|-", "-|-", "1,2|,", "1,2|.", "7|€", "|1-7", "1|,2,5"].map(
      blocked,
    )) {
      await write(number, text);
      await number.pressSequentially(key);
      expect(await read(number), `${key} in ${text}`).toBe(result);
    }
  });

  test("has no currency and no grouping when it is pasted", async ({ number }) => {
    for (const [pasted, result] of [
      ["1.234,56 €", "1234,56"],
      ["1,234.56", "1234.56"],
      ["1.234.567", "1234567"],
      ["1 234,5 Kč", "1234,5"],
      ["\u22127", "-7"],
      ["１２", "12"],
      ["١٢", ""],
      ["1-2", ""],
      ["none", ""],
    ] as const) {
      await write(number, "|");
      await edit(number, "insertFromPaste", pasted);
      expect(await number.inputValue(), pasted).toBe(result);
    }
  });

  test("has no more digits than its maximum length, and isn't cut to it", async ({ field }) => {
    const number = await field("number of four digits", "Amount");
    await number.pressSequentially("12345");
    expect(await read(number)).toBe("1234|");
    await select(number, 1, 2);
    await number.press("9");
    expect(await read(number)).toBe("19|34");
    await write(number, "|");
    for (const pasted of ["12345", "1.234"]) await edit(number, "insertFromPaste", pasted);
    expect(await number.inputValue()).toBe("");
  });
});

describe("a password", () => {
  test("is shown and hidden by a button that says what it does", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await expect(password).toHaveAttribute("type", "password");
    await stage.getByRole("button", { name: "Show password", exact: true }).click();
    await expect(password).toHaveAttribute("type", "text");
    await expect(stage.getByRole("status")).toHaveText("Your password is shown.");
    await stage.getByRole("button", { name: "Hide password", exact: true }).press("Enter");
    await expect(password).toHaveAttribute("type", "password");
    await expect(stage.getByRole("status")).toHaveText("Your password is hidden.");
  });

  test("keeps the focus and the caret when it is shown with the mouse", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await password.focus();
    await select(password, 3);
    await stage.getByRole("button").click();
    await expect(password).toBeFocused();
    expect(await read(password)).toBe("Esp|resso");
    await stage.getByRole("button").click();
    expect(await read(password)).toBe("Esp|resso");
  });

  test("is hidden before its form is sent, not before another is", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await stage.getByRole("button").click();
    const sentAs = await password.evaluate((input: HTMLInputElement) => {
      const form = document.createElement("form");
      input.closest(".sf-specimen-stage")?.before(form);
      form.append(...(form.nextElementSibling?.childNodes ?? []));
      const other = document.createElement("form");
      form.before(other);
      const types: string[] = [];
      for (const sent of [other, form]) {
        sent.addEventListener("submit", (event) => {
          event.preventDefault();
          types.push(input.type);
        });
        sent.requestSubmit();
      }
      form.nextElementSibling?.append(...form.childNodes);
      for (const sent of [other, form]) sent.remove();
      return types;
    });
    expect(sentAs).toEqual(["text", "password"]);
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

/** A key that is blocked at the caret: the first character after the bar. */
function blocked(text: string): [text: string, key: string, result: string] {
  const [before = "", [key = "", ...after] = ""] = text.split("|");
  const kept = `${before}|${after.join("")}`;
  return [kept, key, kept];
}

/** Sets text and caret. A bar marks the caret. */
async function write(field: Locator, text: string): Promise<void> {
  await field.fill(text.replace("|", ""));
  await select(field, text.includes("|") ? text.indexOf("|") : text.length);
}

/** Reads the text, with a bar at the caret. */
function read(field: Locator): Promise<string> {
  return field.evaluate(({ value, selectionStart }: HTMLInputElement) => {
    const caret = selectionStart ?? 0;
    return `${value.slice(0, caret)}|${value.slice(caret)}`;
  });
}

/** Sets the caret, or selects. */
function select(field: Locator, start: number, end = start): Promise<void> {
  return field.evaluate((input: HTMLInputElement, range) => input.setSelectionRange(...range), [start, end] as const);
}

/** Announces an edit as browsers do before they make it. */
function edit(field: Locator, inputType: string, data: string | null = null): Promise<void> {
  return field.evaluate((input, event) => void input.dispatchEvent(new InputEvent("beforeinput", event)), {
    inputType,
    data,
    bubbles: true,
    cancelable: true,
  });
}

/** Sets the text as browsers fill it in: all at once, with or without the focus. */
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
