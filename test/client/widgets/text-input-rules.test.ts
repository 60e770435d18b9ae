import { describe, expect, it } from "vitest";
import { deleteAtCaret } from "../../../client/widgets/text-input/deletion.ts";
import type { CaretText } from "../../../client/widgets/text-input/edit-rule.ts";
import { editIban, groupIban, normalizeIban } from "../../../client/widgets/text-input/iban.ts";
import { isValidIban } from "../../../client/widgets/text-input/iban-validation.ts";
import { cleanNumber, editNumber } from "../../../client/widgets/text-input/number.ts";

/** A text with a bar as the caret, and back. */
function at(text: string): CaretText {
  const [before = "", after = ""] = text.split("|");
  return { before, after };
}
const withBar = (text: CaretText | undefined) => text && `${text.before}|${text.after}`;

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
    expect(isValidIban(text)).toBe(true);
  });
});

describe("isValidIban", () => {
  /** The examples of the IBAN registry, for the countries of the shop and some with letters further on. */
  it.each([
    "AT61 1904 3002 3457 3201",
    "CH93 0076 2011 6238 5295 7",
    "CZ65 0800 0000 1920 0014 5399",
    "HU42 1177 3016 1111 1018 0000 0000",
    "PL61 1090 1014 0000 0712 1981 2874",
    "SK31 1200 0000 1987 4263 7541",
    "TR33 0006 1005 1978 6457 8413 26",
    "FR14 2004 1010 0505 0001 3M02 606",
    "GB29 NWBK 6016 1331 9268 19",
    "MT84 MALT 0110 0001 2345 MTLC AST0 01S",
    "NL91 ABNA 0417 1643 00",
  ])("takes %s", (iban) => {
    expect(isValidIban(iban)).toBe(true);
  });

  it.each(["", "DE", "DE88 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 0", "XX89 3704 0044 0532 0130 00"])(
    "doesn't take %j",
    (text) => {
      expect(isValidIban(text)).toBe(false);
    },
  );
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
