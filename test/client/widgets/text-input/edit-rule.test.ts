import { describe, expect, it } from "vitest";
import { type CaretText, deleteAtCaret } from "../../../../client/widgets/text-input/edit-rule.ts";
import { editIban, groupIban, normalizeIban } from "../../../../client/widgets/text-input/IbanInput.tsx";
import { cleanNumber, editNumber } from "../../../../client/widgets/text-input/NumberInput.tsx";

describe("deleteAtCaret", () => {
  it.each([
    ["deleteContentBackward", "DE89 |37", "DE8|37"],
    ["deleteContentBackward", "|DE", "|DE"],
    ["deleteContentForward", "DE89| 37", "DE89|7"],
    ["deleteWordBackward", "DE89 37|", "DE89 |"],
    ["deleteWordForward", "DE89| 37 4", "DE89| 4"],
    ["deleteSoftLineBackward", "DE89 3|7", "|7"],
    ["deleteHardLineForward", "DE89 3|7", "DE89 3|"],
    ["deleteByCut", "DE|89", "DE|89"],
  ])("%s in %s leaves %s", (inputType, text, rest) => {
    expect(withBar(deleteAtCaret(inputType, at(text)))).toBe(rest);
  });
});

describe("editIban", () => {
  it.each([
    ["|", "d", "D|"],
    ["D|", "e", "DE|"],
    ["DE89|", "3", "DE89 3|"],
    ["DE|9 3704", "8", "DE8|9 3704"],
    ["DE89| 3704", "1", "DE89 1|370 4"],
    ["|89 3704", "D", "D|893 704"],
    ["GB82 WEST|", "1", "GB82 WEST 1|"],
  ])("types into %s the key %s: %s", (text, inserted, result) => {
    expect(withBar(editIban({ ...at(text), inserted, typed: true }))).toBe(result);
  });

  it.each([
    ["|", "8"],
    ["D|", "8"],
    ["DE|", "x"],
    ["DE89|", "x"],
    ["|DE89", "1"],
    ["|DE89", "X"],
    ["DE89|", " "],
    ["DE89|", "-"],
    ["DE89|", "é"],
    ["GB82 WEST|", "x"],
  ])("blocks in %s the key %j", (text, inserted) => {
    expect(editIban({ ...at(text), inserted, typed: true })).toBeUndefined();
  });

  it.each([
    ["|", "IBAN DE89 3704", "DE89 3704|"],
    ["|", "x1", "X1|"],
    ["DE|89", "", "DE|89"],
    ["DE89 3|0400", "", "DE89 3|040 0"],
  ])("puts what isn't typed into %s: %j", (text, inserted, result) => {
    expect(withBar(editIban({ ...at(text), inserted, typed: false }))).toBe(result);
  });
});

describe("normalizeIban", () => {
  it.each([
    "DE89370400440532013000",
    "de89 3704 0044 0532 0130 00",
    "IBAN: DE89-3704-0044-0532-0130-00",
    "iban DE89\u00A03704.0044.0532.0130.00",
    "ＤＥ８９ 3704 0044 0532 0130 00",
  ])("reads %s", (text) => {
    expect(normalizeIban(text)).toBe("DE89370400440532013000");
    expect(groupIban(normalizeIban(text))).toBe("DE89 3704 0044 0532 0130 00");
  });
});

describe("editNumber", () => {
  it.each(["", "-", "+", "7", "-7", "7,", ",5", "-7,5", "7.25", "0123456789"])("lets one type %j", (text) => {
    const inserted = text.at(-1) ?? "";
    expect(withBar(editNumber({ before: text.slice(0, -1), inserted, after: "", typed: true }))).toBe(`${text}|`);
  });

  it.each(["a", "7e", "7-", "--", "1,2,", "1,2.", "7 ", "€"])("blocks the last key of %j", (text) => {
    const edit = { before: text.slice(0, -1), inserted: text.slice(-1), after: "", typed: true };
    expect(editNumber(edit)).toBeUndefined();
  });

  it("blocks a sign or a second separator that is put in front", () => {
    expect(editNumber({ ...at("|-7"), inserted: "1", typed: true })).toBeUndefined();
    expect(editNumber({ ...at("1|2,5"), inserted: ",", typed: true })).toBeUndefined();
    expect(editNumber({ ...at("1|2,5"), inserted: "3,4", typed: false })).toBeUndefined();
  });
});

describe("cleanNumber", () => {
  it.each([
    ["1.234,56 €", "1234,56"],
    ["1,234.56", "1234.56"],
    ["1.234.567", "1234567"],
    ["1’234.50", "1234.50"],
    ["1 234,5", "1234,5"],
    ["1 234,5 Kč", "1234,5"],
    ["-€ 7,5", "-7,5"],
    ["\u22127", "-7"],
    ["+420", "+420"],
    ["Fr. 5", "5"],
    ["CHF 1234.–", "1234"],
    ["€ .50", ".50"],
    ["١٢", ""],
    ["５", "5"],
    ["1-2", ""],
    ["2026-12-04", ""],
    ["none", ""],
  ])("makes of %j %j", (text, number) => {
    expect(cleanNumber(text)).toBe(number);
  });
});

/** Reads a text with a bar as the caret. */
function at(text: string): CaretText {
  const [before = "", after = ""] = text.split("|");
  return { before, after };
}

/** Writes a text with a bar as the caret. */
function withBar(text: CaretText | undefined): string | undefined {
  return text && `${text.before}|${text.after}`;
}
