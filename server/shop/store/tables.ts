import type { Moment } from "../../../client/rules/time.ts";

/**
 * The tables of the store: these are its own, and the file `*-tables.ts` of each service declares those of that
 * service. Points in time are integers: SQLite has no type for them and PostgreSQL's differ in what drivers make of
 * them, while integers are stored, compared and read alike in both.
 */
export interface Tables {
  serviceKey: ServiceKeyTable;
  rateLimit: RateLimitTable;
}

/** A secret that all replicas share. */
interface ServiceKeyTable {
  /** The purpose of the secret. */
  name: string;
  /** The secret in base64url. */
  secret: string;
}

interface RateLimitTable {
  /** The limit's name, and whose budget it is. */
  key: string;
  /** How many points were taken off the budget. */
  points: number;
  /** When the budget starts anew. */
  expiresAt: Moment;
}
