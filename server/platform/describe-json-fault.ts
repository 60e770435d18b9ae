/**
 * Describes why JSON can't be parsed, without quoting it. The text follows the name of the file.
 * @param error - what `JSON.parse` has thrown. V8 names the place in most of its messages
 * @returns such as `isn't valid JSON (line 3, column 1)`
 */
export function describeJsonFault(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(error instanceof Error ? error.message : "") ?? [];
  return `isn't valid JSON${line ? ` (line ${line}, column ${column})` : ""}`;
}
