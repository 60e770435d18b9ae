import { type FocusEvent, type InputEvent, useState } from "react";
import {
  type NewsletterRules,
  type SubscriptionFault,
  type SubscriptionField,
  validateSubscription,
} from "../rules/subscription.ts";
import { type Control, fieldOf, isControl, readValues } from "./form-values.ts";
import { suggestEmail } from "./suggest-email.ts";

/**
 * Checks fields when they are left, not while somebody types. A field is first checked when something was entered, so
 * that nobody is blamed for passing by; a message goes as soon as its field is right.
 * @param first - the faults that the server has found
 */
export function useFieldChecks(rules: NewsletterRules, first: SubscriptionFault[]) {
  const [faults, setFaults] = useState(first);
  const [suggestion, setSuggestion] = useState<string>();

  const isWrong = (field: SubscriptionField) => faults.some((fault) => fault.field === field);

  function onBlur({ target, relatedTarget }: FocusEvent) {
    // A message would move the button away from under the pointer, and submitting checks the field anyway.
    if (!isControl(target) || (relatedTarget instanceof HTMLElement && relatedTarget.matches("[type=submit]"))) return;
    const field = fieldOf(target);
    if (!field || !(isWrong(field) || isEntered(target))) return;
    const fault = faultOf(target, field);
    replace(field, fault);
    if (field === "email") setSuggestion(fault ? undefined : suggestEmail(target.value));
  }

  function onInput({ target }: InputEvent) {
    if (!isControl(target)) return;
    const field = fieldOf(target);
    if (field === "email") setSuggestion(undefined);
    if (field && isWrong(field) && !faultOf(target, field)) replace(field, undefined);
  }

  function faultOf({ form }: Control, field: SubscriptionField) {
    return form ? validateSubscription(readValues(form), rules).find((fault) => fault.field === field) : undefined;
  }

  function replace(field: SubscriptionField, fault: SubscriptionFault | undefined) {
    setFaults((all) => [...all.filter((other) => other.field !== field), ...(fault ? [fault] : [])]);
  }

  return { faults, setFaults, suggestion, onBlur, onInput };
}

function isEntered(control: Control): boolean {
  const isText = control instanceof HTMLInputElement && control.type !== "checkbox";
  return isText && control.value.trim() !== "" && control.value !== control.defaultValue;
}
