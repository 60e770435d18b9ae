import type { FailureKind, FieldFault } from "../errors.ts";

/**
 * How a service says that it hasn't done what it was asked: by a result whose status is the kind of failure. What it can't
 * do at the moment for whomever it is asked, is thrown as UnavailableError.
 */
export interface Failed<Kind extends FailureKind> {
  status: Kind;
}

export interface RateLimited extends Failed<"rateLimited"> {
  /** When to try again, in seconds. */
  retryAfter: number;
}

export interface InvalidFields extends Failed<"invalid"> {
  faults: readonly FieldFault[];
}
