/** The only form of a placeholder: `{{name}}`. What checks a text and what fills it share it. */
const placeholder = /(?<!\{)\{\{(\w+)\}\}(?!\})/g;

/** What other template languages, the text library's among them, would act on. */
const otherForm = /\{\{|\}\}|\$t\(/;

/** Lists the names of a text's placeholders. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = ""]) => name);
}

/** Fills the placeholders of a text, once: what fills them isn't taken for text. One without a value becomes empty. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, unknown>): string {
  return text.replace(placeholder, (_written, name) => String(values.get(name) ?? ""));
}

/** Finds forms of a placeholder that aren't `{{name}}`. */
export function findFormFaults(text: string): string[] {
  return otherForm.test(text.replace(placeholder, " "))
    ? ["must write a placeholder as {{name}}, and have no other {{, }} or $t("]
    : [];
}
