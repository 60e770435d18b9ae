import { describe, expect, it } from "vitest";
import { cleanNumber, editNumber } from "../../../../client/widgets/text-input/number.ts";
import { at, withBar } from "./caret.ts";

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
