import { LRUCache } from "lru-cache";
import { day, type Milliseconds, type Moment, minute } from "../../../client/rules/time.ts";
import { findServiceKey, loadServiceKey } from "../store/load-service-key.ts";
import type { Database } from "../store/open-store.ts";

/** How long tokens are signed with the same key at most, which is longer than any token lives. */
export const keyPeriod = 30 * day;
/** After this time at most, a replica knows what an operator has done with the keys. */
const knownFor: Milliseconds = minute;

export interface TokenKey {
  /** Number of the period in which tokens are signed with it, and of its version where it isn't the first: `688.1`. */
  id: string;
  secret: Uint8Array;
}

/** The keys of tokens, which are made when they are first needed, and equal on all replicas. */
export interface TokenKeys {
  /** Gives the key to sign with at a moment. */
  current(at: Moment): Promise<TokenKey>;
  /** Gives the key with which a token that is still good was signed; undefined when there is no such key. */
  find(id: unknown, at: Moment): Promise<TokenKey | undefined>;
}

export function createTokenKeys(db: Database): TokenKeys {
  /** The newest key of each period, and the keys that were found by their ids. */
  const signing = new LRUCache<number, LoadedKey>({ max: 2 });
  const found = new LRUCache<string, LoadedKey>({ max: 8 });
  return {
    async current(at) {
      const period = periodAt(at);
      const known = signing.get(period);
      if (isFresh(known, at)) return known;
      const id = newest(period, await findKeyIds(db));
      const key = { id, secret: await loadServiceKey(db, keyName(id)), loadedAt: at };
      signing.set(period, key);
      return key;
    },
    async find(id, at) {
      if (typeof id !== "string" || !isLive(id, at)) return undefined;
      const known = found.get(id);
      if (isFresh(known, at)) return known;
      const secret = await findServiceKey(db, keyName(id));
      if (!secret) return undefined;
      const key = { id, secret, loadedAt: at };
      found.set(id, key);
      return key;
    },
  };
}

interface LoadedKey extends TokenKey {
  loadedAt: Moment;
}

/** Tells whether a key was loaded lately. One that a clock loaded that was ahead meanwhile wasn't. */
function isFresh(key: LoadedKey | undefined, at: Moment): key is LoadedKey {
  return key !== undefined && Math.abs(at - key.loadedAt) < knownFor;
}

/** Makes a new version of the key to sign with, and returns its id. All replicas use it within a minute. */
export async function makeTokenKey(db: Database, at: Moment): Promise<string> {
  const period = periodAt(at);
  const { version } = numbersOf(newest(period, await findKeyIds(db)));
  const id = `${period}.${version + 1}`;
  await loadServiceKey(db, keyName(id));
  return id;
}

/** Removes the keys with which nothing that is still good was signed. */
export async function removeOldTokenKeys(db: Database, at: Moment): Promise<void> {
  const ids = await findKeyIds(db);
  await removeTokenKeys(
    db,
    ids.filter((id) => !isLive(id, at)),
  );
}

/** Removes all keys but one. What they have signed is good for nothing, on all replicas within a minute. */
export async function removeOtherTokenKeys(db: Database, kept: string): Promise<void> {
  const ids = await findKeyIds(db);
  await removeTokenKeys(
    db,
    ids.filter((id) => id !== kept),
  );
}

async function removeTokenKeys(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom("encryptedKey").where("name", "in", ids.map(keyName)).execute();
}

const keyPrefix = "login-tokens-";
function keyName(id: string): string {
  return keyPrefix + id;
}

async function findKeyIds(db: Database): Promise<string[]> {
  const keys = await db.selectFrom("encryptedKey").select("name").where("name", "like", `${keyPrefix}%`).execute();
  return keys.map(({ name }) => name.slice(keyPrefix.length));
}

/** Gives the id of the newest key of a period, which is the first one where there is none yet. */
function newest(period: number, ids: readonly string[]): string {
  const versions = ids.map(numbersOf).filter((numbers) => numbers.period === period);
  const version = Math.max(0, ...versions.map((numbers) => numbers.version));
  return version === 0 ? String(period) : `${period}.${version}`;
}

/**
 * Tells whether the key of an id is good at a moment. That of the next period is, too, as replicas' clocks differ
 * (test/server/shop/login/tokens.test.ts).
 */
function isLive(id: string, at: Moment): boolean {
  return /^\d{1,9}(\.\d{1,9})?$/.test(id) && Math.abs(numbersOf(id).period - periodAt(at)) <= 1;
}

function numbersOf(id: string): { period: number; version: number } {
  const [period, version = 0] = id.split(".").map(Number);
  return { period: Number(period), version };
}

function periodAt(at: Moment): number {
  return Math.floor(at / keyPeriod);
}
