import type { Moment } from "../../../client/rules/time.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { Database } from "../store/open-store.ts";
import type { Tokens } from "./tokens.ts";

/** What the parts of the embedded login service work with. */
export interface LoginParts {
  db: Database;
  tokens: Tokens;
  report: ReportEvent;
  clock(): Moment;
}
