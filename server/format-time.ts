import type { Moment } from "../client/rules/time.ts";

/** Writes a moment as ISO 8601 in UTC. */
export function toIso(at: Moment): string {
  return new Date(at).toISOString();
}

/** Does the same where there may be no moment. */
export function toIsoOrNull(at: Moment | null): string | null {
  return at === null ? null : toIso(at);
}
