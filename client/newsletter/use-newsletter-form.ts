import { type FocusEvent, type InputEvent, type SubmitEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type NewsletterRules, type SubscriptionFault, validateSubscription } from "../rules/subscription.ts";
import { type SubscriptionOutcome, subscribeNewsletter } from "../services/subscribe-newsletter.ts";
import { type CustomerField, focusFirstFault, isControl, isFilledByBot, readValues } from "./form-values.ts";
import type { NewsletterProps } from "./newsletter-props.ts";
import { trackSignUp } from "./track-sign-up.ts";
import { type Known, useCustomer } from "./use-customer.ts";
import { useEarlyUse } from "./use-early-use.ts";
import { useFieldChecks } from "./use-field-checks.ts";

export interface NewsletterFormState {
  submitting: boolean;
  /** The last attempt failed for technical reasons. */
  failed: boolean;
  /** The link that led to the form is no longer valid. */
  invalidLink: boolean;
  /** All fields are shown. */
  extended: boolean;
  faults: SubscriptionFault[];
  /** The address that the visitor may have meant. */
  suggestion: string | undefined;
  /** Fields that a customer can't change. */
  locked: CustomerField[];
  /** The customer has agreed to personalised offers before: the form asks no more, and so sends nothing of that. */
  hasPersonalisedOffers: boolean;
}

/**
 * Gives the sign-up form its behaviour.
 * @param onSuccess - gets the address that was entered
 * @returns its state, and the attributes of its element
 */
export function useNewsletterForm(props: NewsletterProps, onSuccess: (email: string) => void) {
  const { settings, site, origin, originAddition, answer } = props;
  const form = useRef<HTMLFormElement>(null);
  const [status, setStatus] = useState<"open" | "submitting" | "failed">(
    answer?.status === "technicalError" ? "failed" : "open",
  );
  const [invalidLink, setInvalidLink] = useState(answer?.status === "invalidLink");
  const [extended, setExtended] = useState(answer !== undefined && "values" in answer);
  const { faults, setFaults, suggestion, check, ...checks } = useFieldChecks(
    settings,
    answer?.status === "invalid" ? answer.faults : [],
  );
  const extend = () => setExtended(true);
  const known = useCustomer(form, extend);
  useEarlyUse(form, onUse, extend, check);

  function onUse(element: Element) {
    if (!isControl(element)) return;
    extend();
    if (element.name === "email") setInvalidLink(false);
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (status === "submitting") return;
    const { currentTarget } = event;
    const values = readValues(currentTarget);
    const found = validateSubscription(values, settings);
    if (found[0]) return complain(currentTarget, found);

    // A field would lose the focus, as it is disabled meanwhile: test/browser/newsletter-form.test.ts
    currentTarget.querySelector<HTMLElement>("[type=submit]")?.focus();
    setStatus("submitting");
    const request = { ...values, origin, originAddition };
    const result = isFilledByBot(currentTarget) ? "SUCCESS" : await subscribeNewsletter(request, site);
    finish(currentTarget, result, values.email);
  }

  function finish(sent: HTMLFormElement, result: SubscriptionOutcome, email: string) {
    if (result === "ERROR_GENERIC") return giveUp(sent);
    if (result === "ERROR_INVALID_EMAIL") return complain(sent, [{ field: "email", key: "error.email.invalid" }]);
    trackSignUp(`${origin}:${originAddition}`);
    setStatus("open");
    sent.reset();
    onSuccess(email);
  }

  function giveUp(sent: HTMLFormElement) {
    flushSync(() => setStatus("failed"));
    sent.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  function complain(sent: HTMLFormElement, found: SubscriptionFault[]) {
    flushSync(() => {
      setStatus("open");
      setExtended(true);
      setFaults(found);
    });
    focusFirstFault(sent);
  }

  return {
    attributes: {
      ref: form,
      onSubmit: submit,
      onBlur: checks.onBlur,
      onFocus: ({ target }: FocusEvent) => onUse(target),
      onInput(event: InputEvent) {
        extend();
        checks.onInput(event);
      },
    },
    submitting: status === "submitting",
    failed: status === "failed",
    invalidLink,
    extended,
    faults,
    suggestion,
    locked: known && settings.lockPrefilled ? rightOf(known, settings) : [],
    hasPersonalisedOffers: known?.customer.consents.includes("DNE") ?? false,
  };
}

/** What may be locked of what was filled in: a name that is wrong is the customer's to put right. */
function rightOf({ customer, filled }: Known, rules: NewsletterRules): CustomerField[] {
  // Without an address that counts as wrong, too: no country locks it.
  const faults = validateSubscription({ ...customer, email: "" }, rules);
  return filled.filter((field) => !faults.some((fault) => fault.field === field));
}
