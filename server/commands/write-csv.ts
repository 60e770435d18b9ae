/** Writes a line of CSV, as RFC 4180 has it. */
export function writeCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

/**
 * Writes a cell, a list with commas between. Where a spreadsheet would take it for a formula, an apostrophe stands
 * before it, as anybody can sign up with such a name: https://owasp.org/www-community/attacks/CSV_Injection
 */
function writeCell(value: unknown): string {
  const text = value === null ? "" : String(value);
  const harmless = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
