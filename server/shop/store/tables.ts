import type { LoginTables } from "../login/login-tables.ts";
import type { MailTables } from "../mail/mail-tables.ts";
import type { NewsletterTables } from "../newsletter/newsletter-tables.ts";
import type { StaffTables } from "../preview/staff-tables.ts";

/**
 * The tables of the store. Points in time are integers, in milliseconds since 1970 UTC: SQLite has no type for them and
 * PostgreSQL's differ in what drivers make of them, while integers are stored, compared and read alike in both.
 */
export interface Tables extends LoginTables, NewsletterTables, MailTables, StaffTables {
  abTest: AbTestTable;
  abTestGroup: AbTestGroupTable;
  promotion: PromotionTable;
  serviceKey: ServiceKeyTable;
  rateLimit: RateLimitTable;
}

interface AbTestTable {
  name: string;
  validFrom: number;
  /** The first moment at which it isn't valid any more; null when it has no end. */
  validTo: number | null;
}

interface AbTestGroupTable {
  test: string;
  name: string;
  /** Place among the groups of its test, from 0. */
  position: number;
}

interface PromotionTable {
  id: string;
  /** Place in the shop, for example SHOP_FOOTER. */
  key: string;
  site: string;
  headline: string;
  text: string;
  linkUrl: string;
  linkText: string;
  validFrom: number;
  /** As of a test. */
  validTo: number | null;
  /** The test and its group that it is for; both null when it is for everybody. */
  test: string | null;
  testGroup: string | null;
}

/** Secrets that all replicas share. */
interface ServiceKeyTable {
  /** What it is for. */
  name: string;
  /** In base64url. */
  secret: string;
}

interface RateLimitTable {
  /** Whose budget it is, with the limit's name. */
  key: string;
  /** What was used of the budget. */
  points: number;
  /** When it starts anew. */
  expiresAt: number;
}
