import { salutations } from "../../rules/salutations.ts";
import { consents, honeypotName, type SubscriptionField, type SubscriptionValues } from "../../rules/subscription.ts";

const customerFields = ["email", "salutation", "firstName", "lastName"] as const;
export type CustomerField = (typeof customerFields)[number];

/** Reads the values of a form as they were entered, including disabled fields. */
export function readValues(form: HTMLFormElement): SubscriptionValues {
  const checked = [...form.querySelectorAll<HTMLInputElement>("[name=consents]:checked")].map(({ value }) => value);
  return {
    email: textOf(form, "email").trim(),
    salutation: salutations.find((known) => known === textOf(form, "salutation")),
    firstName: textOf(form, "firstName"),
    lastName: textOf(form, "lastName"),
    consents: consents.filter((consent) => checked.includes(consent)),
  };
}

/** Whether a bot has filled in the form. */
export function isFilledByBot(form: HTMLFormElement): boolean {
  return textOf(form, honeypotName) !== "";
}

/**
 * Fills a customer's data into the fields that are empty and not in use.
 * @returns the filled fields
 */
export function fillForm(form: HTMLFormElement, customer: SubscriptionValues): CustomerField[] {
  return customerFields.filter((name) => {
    const field = controlOf(form, name);
    const known = customer[name];
    if (!field || !known || field.value !== "" || field === document.activeElement) return false;
    field.value = known;
    return true;
  });
}

/** Moves the focus to the first wrong field, with its label in view. */
export function focusFirstFault(form: HTMLFormElement): void {
  const control = form.querySelector<HTMLInputElement>("[aria-invalid]");
  control?.labels?.[0]?.scrollIntoView({ block: "center" });
  control?.focus({ preventScroll: true });
}

/** Returns the form field of a control. */
export function fieldOf({ name, value }: Control): SubscriptionField | undefined {
  if (name === "consents") return value === "NEWSLETTER" ? "legals" : undefined;
  return customerFields.find((known) => known === name);
}

export type Control = HTMLInputElement | HTMLSelectElement;

export function isControl(target: unknown): target is Control {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

function controlOf(form: HTMLFormElement, name: string): Control | undefined {
  const control = form.elements.namedItem(name);
  return isControl(control) ? control : undefined;
}

function textOf(form: HTMLFormElement, name: string): string {
  return controlOf(form, name)?.value ?? "";
}
