import { type FocusEvent, type InputEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import {
  type NewsletterRules,
  type SubscriptionFault,
  type SubscriptionField,
  validateSubscription,
} from "../../rules/subscription.ts";
import type { Milliseconds } from "../../rules/time.ts";
import { type Control, fieldOf, isControl, readValues } from "./form-values.ts";
import { suggestEmail } from "./suggest-email.ts";

/**
 * Checks each field when it is left, not while the visitor types. Its message disappears as soon as it is right.
 * @param first - the faults that the server found
 */
export function useFieldChecks(
  form: RefObject<HTMLFormElement | null>,
  rules: NewsletterRules,
  first: SubscriptionFault[],
) {
  const [faults, setFaults] = useState(first);
  const [suggestion, setSuggestion] = useState<string>();

  const isWrong = (field: SubscriptionField) => faults.some((fault) => fault.field === field);

  function onBlur({ target }: FocusEvent) {
    if (isControl(target)) afterPress(() => check(target));
  }

  function check(control: Control) {
    const field = fieldOf(control);
    // The field keeps the focus if the visitor has only left the window, perhaps to look something up.
    if (!field || control === document.activeElement) return;
    const fault = faultOf(control, field);
    flushSync(() => {
      replace(field, fault);
      if (field === "email") setSuggestion(fault ? undefined : suggestEmail(control.value));
    });
    // The message may have pushed the field that now has the focus out of view.
    const { activeElement } = document;
    if (control.form?.contains(activeElement)) activeElement?.scrollIntoView({ block: "nearest" });
  }

  function onInput({ target }: InputEvent) {
    if (!isControl(target)) return;
    const field = fieldOf(target);
    if (field === "email") setSuggestion(undefined);
    if (field && isWrong(field) && !faultOf(target, field)) replace(field, undefined);
  }

  /**
   * Puts the suggested address into its field, and moves the focus there: the button disappears, and screen readers
   * read the value.
   */
  function acceptSuggestion() {
    const field = form.current?.elements.namedItem("email");
    if (suggestion === undefined || !(field instanceof HTMLInputElement)) return;
    field.value = suggestion;
    field.focus();
    setSuggestion(undefined);
  }

  function faultOf({ form }: Control, field: SubscriptionField) {
    return form ? validateSubscription(readValues(form), rules).find((fault) => fault.field === field) : undefined;
  }

  function replace(field: SubscriptionField, fault: SubscriptionFault | undefined) {
    setFaults((all) => [...all.filter((other) => other.field !== field), ...(fault ? [fault] : [])]);
  }

  return { faults, setFaults, suggestion, acceptSuggestion, check, onBlur, onInput };
}

const pressPollInterval: Milliseconds = 20;

/**
 * Calls `act` once no button is pressed. A message shown earlier would move the page under the pointer, and the click
 * would miss.
 */
function afterPress(act: () => void): void {
  setTimeout(() => (document.querySelector(":active") ? afterPress(act) : act()), pressPollInterval);
}
