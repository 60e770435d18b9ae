import type { LoginToken } from "../rules/login-token.ts";

/** How a check of the login token can end. */
export const outcome = {
  renewed: 0,
  /** Renewed once more: the session has reached its absolute end. */
  lastRenewed: 1,
  serverError: 2,
  /** The service doesn't know the session. */
  unknown: 3,
  notNeeded: 4,
  expired: 5,
} as const;

export type Outcome = (typeof outcome)[keyof typeof outcome];

/** How a renewal can end: as a check can, or with a call that has failed on its way. */
export type RenewalOutcome = Outcome | "failed";

/**
 * Tells what a token says without asking the service.
 * @param now - the service's time, in seconds since 1970
 * @returns "due" for a token that is to be renewed
 */
export function outcomeOfToken({ exp, ren }: LoginToken, now: number): Outcome | "due" {
  if (now >= exp) return outcome.expired;
  return now < ren ? outcome.notNeeded : "due";
}

/**
 * Tells what the status of the service's answer to a renewal means.
 * @param status - the status of HTTP; 0 when there was no answer
 * @returns "failed" for a status that says nothing of the session, such as 403 or 429
 */
export function outcomeOfStatus(status: number): RenewalOutcome {
  if (status === 201) return outcome.renewed;
  if (status === 200) return outcome.lastRenewed;
  if (status === 401) return outcome.unknown;
  return status >= 500 ? outcome.serverError : "failed";
}

/** Tells whether a message is the outcome of a renewal: the tab that sent it may run another build of this script. */
export function isRenewal(news: unknown): news is RenewalOutcome {
  return news === "failed" || Object.values<unknown>(outcome).includes(news);
}
