import type { Moment } from "../../../client/rules/time.ts";

/**
 * The tables of the store: these are its own, and the file `*-tables.ts` of each service declares those of that service.
 * Points in time are integers: SQLite has no type for them and PostgreSQL's differ in what drivers make of them, while
 * integers are stored, compared and read alike in both.
 */
export interface Tables {
  serviceKey: ServiceKeyTable;
  rateLimit: RateLimitTable;
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
  expiresAt: Moment;
}
