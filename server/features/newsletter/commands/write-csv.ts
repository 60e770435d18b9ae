/** Writes a line of CSV: https://www.rfc-editor.org/rfc/rfc4180 */
export function writeCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(value: unknown): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before a text that a spreadsheet would take for a formula, because anybody can sign up with such a
 * name: https://owasp.org/www-community/attacks/CSV_Injection. Tokens stay unchanged, although some begin with a
 * hyphen.
 */
export function withoutFormula(value: unknown): string {
  const text = String(value ?? "");
  return /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
}
