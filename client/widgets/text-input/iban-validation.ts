import { isValidIBAN } from "ibantools";
import { normalizeIban } from "./iban.ts";

/**
 * Tells whether an IBAN, in any form, has its country's length and structure and the right check digits. It stands apart
 * from the input, as only forms that check IBANs need the 4 kB of its table of countries (test/build/budgets.test.ts).
 */
export function isValidIban(text: string): boolean {
  return isValidIBAN(normalizeIban(text));
}
