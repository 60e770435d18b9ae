import type { Moment } from "../../client/rules/time.ts";
import { parseTime } from "../parse-time.ts";

/** Reads a time of a query; undefined when it isn't a date and time with Z or an offset. */
export function readTime(time: unknown): Moment | undefined {
  // A plus that wasn't encoded arrives as a space: test/server/shop/abtests/ab-test-routes.test.ts
  return parseTime(String(time).replace(" ", "+"));
}
