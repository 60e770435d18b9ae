import type { FailureKind, FieldFault } from "../errors.ts";

/**
 * The result by which a service says that it hasn't done what it was asked; its status is the kind of failure. When a
 * service can't do something at the moment for anybody, it throws UnavailableError instead.
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
