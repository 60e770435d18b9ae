import type { Moment } from "../../client/rules/time.ts";
import { parseTime } from "../parse-time.ts";

/** Reads a time of a query; undefined when it isn't a date and time with Z or an offset. */
export function readTime(time: unknown): Moment | undefined {
  // The plus of an offset arrives as a space when the caller hasn't encoded it.
  return parseTime(String(time).replace(" ", "+"));
}
