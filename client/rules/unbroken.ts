/** Joins a figure and its unit, or the parts of a date, so that no line ends between them. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}
