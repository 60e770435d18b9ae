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
  /** Limits the calls of each network. */
  limiter: RateLimiter;
  /** Key for the network addresses in consent records. */
  networkKey: Buffer;
  /** How long an accepted sign-up takes at least, which is longer than the work for any address. */
  answerAfter: Milliseconds;
  clock(): Moment;
}
