import type { Moment } from "../../client/rules/time.ts";
import type { ReportEvent } from "../security-events.ts";
import { loginSessions } from "./login/sessions.ts";
import { staffSessions } from "./preview/staff-sessions.ts";
import { removeDeviceKeys } from "./sign-in/known-devices.ts";
import { makeTokenKey, removeOtherTokenKeys } from "./sign-in/token-keys.ts";
import { encryptKeysAnew } from "./store/encrypt-service-keys.ts";
import { inTransaction, type StoreTransaction } from "./store/in-transaction.ts";
import type { Database } from "./store/open-store.ts";

/**
 * Encrypts all keys of the store by the first key-encryption key, and makes a new key for tokens. What was signed with
 * earlier keys stays good for as long as it would have been.
 * @returns a line that says what was done
 * @throws UnavailableError when the store can't take the change
 */
export async function rotateKeys(db: Database, at: Moment): Promise<string> {
  const id = await inTransaction(db, (transaction) => rotate(transaction, at));
  return `all keys are encrypted by the first key-encryption key, and key ${id} signs within a minute`;
}

/**
 * Does the same, and lets nobody in by what was signed before: all sessions end, and browsers are known no longer.
 * @returns a line that says what was done
 * @throws UnavailableError when the store can't take the change
 */
export async function revokeKeys(db: Database, at: Moment, report: ReportEvent): Promise<string> {
  const id = await inTransaction(db, async (transaction) => {
    const made = await rotate(transaction, at);
    await removeOtherTokenKeys(transaction, made);
    await removeDeviceKeys(transaction);
    for (const sessions of [loginSessions, staffSessions]) await sessions.endAll(transaction);
    return made;
  });
  for (const kind of ["customer", "staff"] as const) report({ event: "authn_token_revoked", kind });
  return `everybody is signed out, and key ${id} alone is good within a minute; all keys are encrypted by the first key-encryption key`;
}

async function rotate(transaction: StoreTransaction, at: Moment): Promise<string> {
  await encryptKeysAnew(transaction);
  return makeTokenKey(transaction, at);
}
