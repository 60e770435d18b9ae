import type { Moment } from "../../../client/rules/time.ts";
import type { Logger } from "../../logger.ts";
import type { FindTests } from "../abtests/open-ab-tests.ts";
import type { Database } from "../store/open-store.ts";
import type { FooterChanges } from "./find-changes.ts";
import type { ShareTokens } from "./share-tokens.ts";
import type { StaffTokens } from "./staff-tokens.ts";

/** What the parts of the embedded preview service work with. */
export interface PreviewParts {
  db: Database;
  logger: Logger;
  tokens: StaffTokens;
  shareTokens: ShareTokens;
  findTests: FindTests;
  footerChanges: FooterChanges;
  clock(): Moment;
}
