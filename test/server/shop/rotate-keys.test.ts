import { randomBytes } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { expect, it } from "vitest";
import { day, minute } from "../../../client/rules/time.ts";
import type { SecurityEvent } from "../../../server/security-events.ts";
import { createLogin } from "../../../server/shop/login/create-login.ts";
import { revokeKeys, rotateKeys } from "../../../server/shop/rotate-keys.ts";
import { keyPeriod } from "../../../server/shop/sign-in/token-keys.ts";
import { type Jar, openLogin, signIn } from "../../support/login-test.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../support/test-store.ts";

const [oldKey, newKey] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];

/** Two replicas at work, of which each has signed somebody in. */
async function openReplicas() {
  const place = { ...(await createStorePlace()), keyEncryptionKey: `${oldKey},${newKey}` };
  const one = await openLogin((await openTestStore(testLogger, place)).db);
  const { db } = await openTestStore(testLogger, place);
  const other = { ...one, db, login: await createLogin({ ...one, db, clock: one.now }) };
  const jars = [await signIn(one, { stayLoggedIn: true }), await signIn(other, { stayLoggedIn: true })];
  const signedIn = async (jar: Jar) =>
    Promise.all([one, other].map(async ({ login }) => Boolean(await login.identify({ login: jar.login }))));
  return { place, one, other, jars, signedIn };
}

const kidOf = ({ login = "" }: Jar) => decodeProtectedHeader(login).kid;

it("keys that are rotated sign from then on, and what was signed before stays good until it is over", async () => {
  const { one, other, jars, signedIn } = await openReplicas();
  await rotateKeys(one.db, one.now());
  one.pass(minute);
  const later = [await signIn(one), await signIn(other, { stayLoggedIn: true })];
  expect(later.map(kidOf)).toEqual([`${kidOf(jars[0] ?? {})}.1`, `${kidOf(jars[0] ?? {})}.1`]);
  for (const jar of [...jars, ...later]) expect(await signedIn(jar)).toEqual([true, true]);
  one.pass(keyPeriod - 20 * day);
  expect(await signedIn(jars[0] ?? {})).toEqual([true, true]);
});

it("a key that only one replica knows yet is good on the others at once", async () => {
  const { place, one, signedIn } = await openReplicas();
  await rotateKeys(one.db, one.now());
  const { db } = await openTestStore(testLogger, place);
  const started = { ...one, db, login: await createLogin({ ...one, db, clock: one.now }) };
  expect(await signedIn(await signIn(started))).toEqual([true, true]);
});

it("keys that are rotated are encrypted by the first key-encryption key, and need no other", async () => {
  const { place, one, jars, signedIn } = await openReplicas();
  const both = { ...place, keyEncryptionKey: `${newKey},${oldKey}` };
  await rotateKeys((await openTestStore(testLogger, both)).db, one.now());
  await openTestStore(testLogger, { ...place, keyEncryptionKey: newKey });
  await expect(openTestStore(testLogger, { ...place, keyEncryptionKey: oldKey })).rejects.toThrow(/can't be decrypted/);
  one.pass(minute);
  for (const jar of jars) expect(await signedIn(jar)).toEqual([true, true]);
});

it("keys that are revoked let nobody in: sessions end at once, and what was signed within a minute", async () => {
  const { one, jars, signedIn } = await openReplicas();
  const sessions = await one.db.selectFrom("loginSession").selectAll().execute();
  const events: SecurityEvent[] = [];
  await revokeKeys(one.db, one.now(), (event) => events.push(event));
  expect(events).toEqual([
    { event: "authn_token_revoked", kind: "customer" },
    { event: "authn_token_revoked", kind: "staff" },
  ]);
  for (const jar of jars) expect(await signedIn(jar)).toEqual([false, false]);
  const left = await one.db.selectFrom("encryptedKey").select("name").orderBy("name").execute();
  const token = `login-tokens-${kidOf(jars[0] ?? {})}.1`;
  expect(left.map(({ name }) => name)).toEqual(["login-throttle", token, "rate-limit"]);
  await one.db.insertInto("loginSession").values(sessions).execute();
  one.pass(minute);
  for (const jar of jars) expect(await signedIn(jar), "not even with a session").toEqual([false, false]);
  expect(await signedIn(await signIn(one))).toEqual([true, true]);
});
