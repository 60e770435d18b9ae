import type { Logger } from "../../logger.ts";
import type { AbTest } from "../abtests/find-active-tests.ts";
import type { InTurn } from "../sign-in/in-turn.ts";
import type { Throttle } from "../sign-in/throttle.ts";
import type { Database } from "../store/open-store.ts";
import type { RateLimiter } from "../store/rate-limiter.ts";
import type { FooterChanges } from "./find-changes.ts";
import type { ShareTokens } from "./share-tokens.ts";
import type { StaffTokens } from "./staff-tokens.ts";

/** What the parts of the embedded preview service work with. */
export interface PreviewContext {
  db: Database;
  logger: Logger;
  tokens: StaffTokens;
  shareTokens: ShareTokens;
  /** Budgets of networks. */
  limiter: RateLimiter;
  /** Of addresses. */
  throttle: Throttle;
  inTurn: InTurn;
  /** The A/B tests that are active at a time. */
  findTests(at: Date): Promise<AbTest[]>;
  footerChanges: FooterChanges;
  /** Now, in milliseconds since 1970 UTC. */
  clock(): number;
}
