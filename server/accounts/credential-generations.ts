import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import { clockTolerance } from "../platform/time.ts";

/** How often the credentials of a session were replaced, and when. */
export interface CredentialGenerations {
  /** How many times they were replaced. Earlier generations are used up. */
  generation: number;
  /** When they were last replaced; null if never. */
  rotatedAt: Moment | null;
  /** When the present ones were first sent back; null before that. */
  confirmedAt: Moment | null;
}

/**
 * How long used credentials remain valid after their successors were first sent back: other tabs may have sent them at
 * the same time. Before that they are valid, too, because the answer with the successors may have been lost.
 */
export const grace: Milliseconds = 10 * second;

/**
 * Whether credentials of a generation are valid.
 * @param sent - the generation of the credentials that a browser has sent
 */
export function isCurrent(
  { generation, rotatedAt, confirmedAt }: CredentialGenerations,
  sent: number,
  at: Moment,
): boolean {
  // A clock that was ahead must not extend the grace period.
  const inGrace = (time: Moment | null) => time !== null && time > at - grace && time <= at + clockTolerance;
  const isPreviousValid = confirmedAt === null || inGrace(confirmedAt) || inGrace(rotatedAt);
  return sent === generation || (sent === generation - 1 && isPreviousValid);
}

/** Whether a browser sends the present credentials for the first time, which shows that it has them. */
export function confirms({ generation, rotatedAt, confirmedAt }: CredentialGenerations, sent: number): boolean {
  return sent === generation && rotatedAt !== null && confirmedAt === null;
}
