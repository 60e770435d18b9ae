import type { Logger } from "../../logger.ts";
import type { InTurn } from "../sign-in/in-turn.ts";
import type { Throttle } from "../sign-in/throttle.ts";
import type { Database } from "../store/open-store.ts";
import type { RateLimiter } from "../store/rate-limiter.ts";
import type { Tokens } from "./tokens.ts";

/** What the parts of the embedded login service work with. */
export interface LoginContext {
  db: Database;
  logger: Logger;
  tokens: Tokens;
  /** Budgets of networks. */
  limiter: RateLimiter;
  /** Of addresses. */
  throttle: Throttle;
  inTurn: InTurn;
  /** Now, in milliseconds since 1970 UTC. */
  clock(): number;
}
