/** Marks a text of another locale as one that is still to be translated. */
export function asGap(text: string): string {
  return `‹${text}›`;
}

/** Tells whether a text is one that is still to be translated. */
export function isGap(text: string): boolean {
  return text.startsWith("‹") && text.endsWith("›");
}
