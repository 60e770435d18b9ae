import { LRUCache } from "lru-cache";
import { day, type Moment } from "../../../client/rules/time.ts";
import { loadServiceKey } from "../store/load-service-key.ts";
import type { Database } from "../store/open-store.ts";

/** How long tokens are signed with the same key, which is longer than any token lives. */
export const keyPeriod = 30 * day;

export interface TokenKey {
  /** Number of the period in which tokens are signed with it. */
  id: string;
  secret: Uint8Array;
}

/** The keys of tokens, which are made when they are first needed, and equal on all replicas. */
export interface TokenKeys {
  /** Gives the key to sign with at a moment. */
  current(at: Moment): Promise<TokenKey>;
  /** Gives the key with which a token that is still good was signed; undefined when there is no such key. */
  find(id: string | undefined, at: Moment): Promise<TokenKey | undefined>;
}

export function createTokenKeys(db: Database): TokenKeys {
  const loaded = new LRUCache<string, Uint8Array>({ max: 4, fetchMethod: (id) => loadServiceKey(db, keyName(id)) });
  return {
    current: (at) => load(liveKeyIds(at).current),
    async find(id, at) {
      const { current, previous, next } = liveKeyIds(at);
      return id === current || id === previous || id === next ? load(id) : undefined;
    },
  };

  async function load(id: string): Promise<TokenKey> {
    return { id, secret: await loaded.forceFetch(id) };
  }
}

/**
 * Gives the ids of the keys that are good at a moment; the next one is among them, as replicas' clocks differ
 * (test/server/shop/login/tokens.test.ts).
 */
export function liveKeyIds(at: Moment) {
  const period = Math.floor(at / keyPeriod);
  return { current: String(period), previous: String(period - 1), next: String(period + 1) };
}

export const keyPrefix = "login-tokens-";
export function keyName(id: string): string {
  return keyPrefix + id;
}
