import type { Moment } from "../../../client/rules/time.ts";

/**
 * The tables of the store: these are its own, and the file `*-tables.ts` of each service declares those of that
 * service. Points in time are integers: SQLite has no type for them and PostgreSQL's differ in what drivers make of
 * them, while integers are stored, compared and read alike in both.
 */
export interface Tables {
  encryptedKey: EncryptedKeyTable;
  serviceKey: ServiceKeyTable;
  rateLimit: RateLimitTable;
}

/** A secret that all replicas share. */
interface EncryptedKeyTable {
  /** The purpose of the secret. */
  name: string;
  /** The secret as the key cipher has encrypted it. */
  secret: string;
}

/** A secret in clear, as releases before the key cipher keep it. This one takes it over, and removes it. */
interface ServiceKeyTable {
  name: string;
  /** The secret in base64url. */
  secret: string;
}

interface RateLimitTable {
  /** The limit's name, and an HMAC of whose budget it is. */
  key: string;
  /** How many points were taken off the budget. */
  points: number;
  /** When the budget starts anew. */
  expiresAt: Moment;
}
