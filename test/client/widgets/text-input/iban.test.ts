import { describe, expect, it } from "vitest";
import { editIban, groupIban, normalizeIban } from "../../../../client/widgets/text-input/iban.ts";
import { isValidIban } from "../../../../client/widgets/text-input/iban-validation.ts";
import { at, withBar } from "./caret.ts";

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
