import { expect, it } from "vitest";
import { writeCsvLine } from "../../../server/commands/write-csv.ts";

it.each([
  [["Ada", null, "DE"], "Ada,,DE"],
  [["Lovelace, Ada", 'the "first"', "two\nlines"], '"Lovelace, Ada","the ""first""","two\nlines"'],
  [[["DNE", "NEWSLETTER"], []], '"DNE,NEWSLETTER",'],
  [["=1+1", "+49", "-1", "@sum"], "'=1+1,'+49,'-1,'@sum"],
  [['=HYPERLINK("//x","y")'], `"'=HYPERLINK(""//x"",""y"")"`],
])("CSV of %j is one line that no spreadsheet computes with", (cells, line) => {
  expect(writeCsvLine(cells)).toBe(`${line}\r\n`);
});
