import {
  type FocusEvent,
  type InputEvent,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { readCookies } from "../../host-page/read-cookies.ts";
import { track } from "../../host-page/track.ts";
import type { NewsletterProps } from "../../rules/newsletter-block.ts";
import {
  type NewsletterRules,
  type SubscriptionFault,
  type SubscriptionValues,
  validateSubscription,
} from "../../rules/subscription.ts";
import { type CustomerField, fillForm, focusFirstFault, isControl, isFilledByBot, readValues } from "./form-values.ts";
import { fetchCustomer, type SubscriptionOutcome, subscribeNewsletter } from "./newsletter-service.ts";
import { useFieldChecks } from "./use-field-checks.ts";

export type NewsletterFormState = ReturnType<typeof useNewsletterForm>;

/**
 * The behaviour of the sign-up form.
 * @param onSuccess - receives the entered address
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
  const { faults, setFaults, suggestion, acceptSuggestion, check, ...checks } = useFieldChecks(
    form,
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
    if (isFilledByBot(currentTarget)) return finish(currentTarget, "SUCCESS", values.email);
    const found = validateSubscription(values, settings);
    if (found[0]) return showFaults(currentTarget, found);

    // The focused field is disabled during sending and would lose the focus.
    currentTarget.querySelector<HTMLElement>("[type=submit]")?.focus();
    setStatus("submitting");
    const request = { ...values, origin, originAddition };
    finish(currentTarget, await subscribeNewsletter(request, site), values.email);
  }

  function finish(sent: HTMLFormElement, result: SubscriptionOutcome, email: string) {
    if (result === "ERROR_GENERIC") return giveUp(sent);
    if (result === "ERROR_INVALID_EMAIL") return showFaults(sent, [{ field: "email", key: "error.email.invalid" }]);
    trackSignUp(`${origin}:${originAddition}`);
    setStatus("open");
    sent.reset();
    onSuccess(email);
  }

  function giveUp(sent: HTMLFormElement) {
    flushSync(() => setStatus("failed"));
    sent.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  function showFaults(sent: HTMLFormElement, found: SubscriptionFault[]) {
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
    /** Whether the last attempt failed for technical reasons. */
    failed: status === "failed",
    /** Whether the link to the form is no longer valid. */
    invalidLink,
    /** Whether all fields are shown. */
    extended,
    faults,
    /** The address that the visitor probably meant. */
    suggestion,
    acceptSuggestion,
    /** Fields that the customer can't change. */
    locked: known && settings.lockPrefilled ? rightOf(known, settings) : [],
    /** Whether the customer has already agreed to personalised offers: the form neither asks nor sends that consent. */
    hasPersonalisedOffers: known?.customer.consents.includes("DNE") ?? false,
  };
}

/** Returns the filled-in fields that can be locked. A wrong name stays open, because the customer has to correct it. */
function rightOf({ customer, filled }: Known, rules: NewsletterRules): CustomerField[] {
  // The email is left empty on purpose: it then fails validation, so it is never locked.
  const faults = validateSubscription({ ...customer, email: "" }, rules);
  return filled.filter((field) => !faults.some((fault) => fault.field === field));
}

/**
 * Reports a sign-up to analytics.
 * @param origin - the place of the form, as `origin:originAddition`
 */
export function trackSignUp(origin: string): void {
  track({ event: "sign_up", subject: "newsletter", origin, type: "ga4", emitter: "newsletter service" });
}

interface Known {
  customer: SubscriptionValues;
  /** The fields that were filled in for the customer. */
  filled: CustomerField[];
}

/**
 * Fills in the data of a signed-in customer, once. Sends no request for other visitors.
 * @param onFilled - called if a field was filled in
 */
function useCustomer(form: RefObject<HTMLFormElement | null>, onFilled: () => void) {
  const [known, setKnown] = useState<Known>();

  const take = useEffectEvent((customer: SubscriptionValues | undefined) => {
    if (!customer || !form.current) return;
    const filled = fillForm(form.current, customer);
    // If a filled-in field were locked only later, a visitor could have entered it, and would lose the focus.
    flushSync(() => {
      setKnown({ customer, filled });
      if (filled.length > 0) onFilled();
    });
  });

  useEffect(() => {
    if ("LoginToken" in readCookies(document.cookie)) void fetchCustomer().then((customer) => take(customer));
  }, []);

  return known;
}

/**
 * Reports what happened before hydration.
 * @param onUse - receives the element that has the focus
 * @param onEntered - called if the address was typed by the visitor or filled in by the browser
 * @param onChanged - receives each field that was changed, which may have the focus
 */
function useEarlyUse(
  form: RefObject<HTMLFormElement | null>,
  onUse: (element: Element) => void,
  onEntered: () => void,
  onChanged: (field: HTMLInputElement) => void,
) {
  const catchUp = useEffectEvent(() => {
    const email = form.current?.elements.namedItem("email");
    if (email instanceof HTMLInputElement && email.value !== "") onEntered();
    for (const field of form.current?.querySelectorAll("input") ?? []) {
      if (field.value !== field.defaultValue) onChanged(field);
    }
    const focused = document.activeElement;
    if (focused && form.current?.contains(focused)) onUse(focused);
  });
  useEffect(() => catchUp(), []);
}
