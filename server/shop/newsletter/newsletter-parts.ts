import type { Milliseconds, Moment } from "../../../client/rules/time.ts";
import type { Texts } from "../../i18n.ts";
import type { CountryRegistry } from "../../sites/countries.ts";
import type { Database } from "../store/open-store.ts";
import type { RateLimiter } from "../store/rate-limiter.ts";

/** What the parts of the embedded newsletter service work with. */
export interface NewsletterParts {
  db: Database;
  countries: CountryRegistry;
  texts: Texts;
  /** Budgets of networks. */
  limiter: RateLimiter;
  /** Key for the network addresses in consent records. */
  networkKey: Buffer;
  /** How long an accepted sign-up takes at least: more than the work for any address does. */
  answerAfter: Milliseconds;
  clock(): Moment;
}
