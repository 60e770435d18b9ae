import type { Milliseconds, Moment } from "../../../client/rules/time.ts";
import type { Metrics } from "../../metrics.ts";
import type { CountryRegistry, Site } from "../../sites/countries.ts";
import type { Suppression } from "../mail/suppression.ts";
import type { Database } from "../store/open-store.ts";
import type { NewsletterEvents } from "../webhook/newsletter-events.ts";
import type { ShownText } from "./consent-text.ts";
import type { NetworkLimits } from "./network-limits.ts";

/** What the parts of the embedded newsletter service work with. */
export interface NewsletterParts {
  db: Database;
  countries: CountryRegistry;
  metrics: Pick<Metrics, "mailLimits">;
  networkLimits: NetworkLimits;
  suppression: Suppression;
  /** What the newsletter's receiver is told of. */
  events: NewsletterEvents;
  /** Key for the network addresses in consent records. */
  networkKey: Buffer;
  shownText: (site: Site) => ShownText;
  /** How long an accepted sign-up takes at least, so that what its statements find and write doesn't show. */
  answerAfter: Milliseconds;
  clock(): Moment;
}
