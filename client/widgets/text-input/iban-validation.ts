import { isValidIBAN } from "ibantools";
import { normalizeIban } from "./iban.ts";

/**
 * Whether an IBAN, in any form, has its country's length and structure and the right check digits. Apart from the input:
 * the table of countries is 4 kB that only those load who check.
 */
export function isValidIban(text: string): boolean {
  return isValidIBAN(normalizeIban(text));
}
