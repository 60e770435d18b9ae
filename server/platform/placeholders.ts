/** The only form of a placeholder: `{{name}}`. Checking and filling use the same pattern. */
const placeholder = /(?<!\{)\{\{(\w+)\}\}(?!\})/g;

/** Forms that other template languages, including the text library's, would interpret. */
const otherForm = /\{\{|\}\}|\$t\(/;

/** Lists the names of a text's placeholders. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = ""]) => name);
}

/**
 * Fills the placeholders of a text. The values themselves aren't searched for placeholders. A placeholder without a
 * value becomes empty.
 */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, unknown>): string {
  return text.replace(placeholder, (_written, name) => String(values.get(name) ?? ""));
}

/** Finds placeholders in other forms than `{{name}}`. */
export function findFormFaults(text: string): string[] {
  return otherForm.test(text.replace(placeholder, " "))
    ? ["must write a placeholder as {{name}}, and have no other {{, }} or $t("]
    : [];
}
