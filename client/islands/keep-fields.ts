type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Carries what a visitor has entered over to the fields that come in place of those in use: React renders an island anew
 * whose markup something else has changed, such as the browser's translation or a password manager.
 */
export function keepFields(island: HTMLElement) {
  const before = [...island.querySelectorAll<Field>("input, select, textarea")];
  let focused: Field | undefined;
  return {
    /** Call it as the last thing before the fields may go: a field that goes loses the focus without a word. */
    noteFocus() {
      focused = before.find((field) => field === document.activeElement);
    },
    carryOver() {
      for (const old of before) {
        const field = island.querySelector<Field>(selectorOf(old));
        if (!field) continue;
        field.value = old.value;
        if (field instanceof HTMLInputElement && old instanceof HTMLInputElement) field.checked = old.checked;
        if (old === focused) field.focus({ preventScroll: true });
      }
    },
  };
}

/** Fields that are checked share a name, and their values are fixed. */
function selectorOf({ name, type, value }: Field): string {
  const byName = `[name="${CSS.escape(name)}"]`;
  return type === "checkbox" || type === "radio" ? `${byName}[value="${CSS.escape(value)}"]` : byName;
}
