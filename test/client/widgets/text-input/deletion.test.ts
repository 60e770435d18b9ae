import { describe, expect, it } from "vitest";
import { deleteAtCaret } from "../../../../client/widgets/text-input/deletion.ts";
import { at, withBar } from "./caret.ts";

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
