import { describe, expect, it } from "vitest";
import { isValidIban } from "../../../../client/widgets/text-input/iban-validation.ts";

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
