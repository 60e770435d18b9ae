/**
 * Moves the focus to a field with its label in view, not only the field itself.
 * @param id - the control's id; of a group of radio buttons, the id of the first
 * @returns false where the page has no such field
 */
export function focusField(id: string): boolean {
  const field = document.getElementById(id);
  if (!field) return false;
  (labelOf(field) ?? field).scrollIntoView();
  field.focus({ preventScroll: true });
  return true;
}

function labelOf(field: HTMLElement): Element | null | undefined {
  if (field.matches("[type=radio]")) return field.closest("fieldset")?.querySelector("legend");
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement
    ? field.labels?.[0]
    : null;
}
