import type { NewsletterChange, NewsletterSubscription } from "../../../schemas/types.ts";
import { BadRequestError } from "../../errors.ts";
import { createValidator, type Validation } from "../../validate.ts";

const validateSubscriptionBody = createValidator<NewsletterSubscription>("newsletter-subscription");
const validateChangeBody = createValidator<NewsletterChange>("newsletter-change");

/** Reads a sign-up. Throws BadRequestError naming every field that is wrong. */
export function readSubscription(body: unknown): NewsletterSubscription {
  return checked(validateSubscriptionBody(body));
}

/** Reads the changes of a subscriber; throws as above. */
export function readChange(body: unknown): NewsletterChange {
  return checked(validateChangeBody(body));
}

function checked<T>(result: Validation<T>): T {
  if (result.valid) return result.data;
  throw new BadRequestError("the request isn't as it should be", result.faults.map(describe));
}

/** A fault within a list is told of the list. */
function describe(fault: string): { field: string; message: string } {
  const [, unknown] = /^\/(.*) is not known$/s.exec(fault) ?? [];
  if (unknown !== undefined) return { field: unknown, message: "is not known" };
  const [, field = "", message = fault] = /^\/?([^/ ]*)[^ ]* (.*)$/s.exec(fault) ?? [];
  return { field, message };
}
