import { argon2Sync } from "node:crypto";
import { decodeJwt } from "jose";
import { vi } from "vitest";
import type { LoginRequest } from "../../schemas/types.ts";
import { addAccount } from "../../server/accounts/accounts.ts";
import type { SignInResult } from "../../server/accounts/sign-in.ts";
import { createEmbeddedLogin } from "../../server/features/login/embedded/login-service.ts";
import type { Caller } from "../../server/http/cookies.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { ReportEvent } from "../../server/platform/security-events.ts";
import type { Database } from "../../server/store/open-store.ts";
import { type Jar, keep } from "./cookie-jar.ts";
import { newAddress } from "./new-address.ts";
import { testLogger } from "./test-app.ts";
import { createTestLog } from "./test-log.ts";
import { openTestStore, testKeys } from "./test-store.ts";

export const password = "correct horse battery staple";
export const email = "ada@shop.example";

export type Bench = Awaited<ReturnType<typeof openLogin>>;

/** Stops the clock until the end of the test file. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
}

/** Lets the clock run again. */
export function restoreTime(): void {
  vi.useRealTimers();
}

/** Lets time pass, in milliseconds. The clock must have been stopped. */
export function pass(time: number): void {
  vi.setSystemTime(Date.now() + time);
}

/** The service with one account, on a store of its own or a given one, with its reports and log. Stops the clock. */
export async function openLogin(given?: Database) {
  stopTime();
  const db = given ?? (await openTestStore(testLogger)).db;
  await addAccount(db, "customer", { email, password, salutation: "MRS", firstName: "Ada", lastName: "Beispiel" });
  const events: Parameters<ReportEvent>[0][] = [];
  const reportSecurityEvent: ReportEvent = (event) => void events.push(event);
  const { logger, lines } = createTestLog();
  const context = { keys: testKeys, logger, metrics: createMetrics(), reportSecurityEvent };
  return { ...context, db, events, lines, login: createEmbeddedLogin(context, db) };
}

/** Creates a caller with a browser's cookies, by default from a network of its own. */
export function callerWith(cookies: Jar = {}, ip = newAddress()): Caller {
  return { ip, secure: false, host: "de.localhost:3000", cookies };
}

/**
 * Signs somebody in.
 * @returns the cookies of the new session
 */
export async function signIn({ login }: Pick<Bench, "login">, changes: Partial<LoginRequest> = {}): Promise<Jar> {
  return jarOf(await login.login({ email, password, ...changes }, callerWith()));
}

function jarOf(result: SignInResult): Jar {
  if (result.status !== "success") throw new Error(`signing in ended with ${result.status}`);
  return keep({}, result.cookies);
}

/**
 * Signs in with all requests at once, and again if the service had no time to check one.
 * @returns the outcomes
 */
export function checkAll({ login }: Bench, requests: readonly LoginRequest[], addressOf: (i: number) => string) {
  return Promise.all(
    requests.map(async (request, i) => {
      const caller = callerWith({}, addressOf(i));
      for (;;) {
        const { status } = await login.login(request, caller);
        if (status !== "unavailable") return status;
      }
    }),
  );
}

let strangers = 0;

/** Creates requests for different addresses without an account. */
export function unknownAddresses(count: number): LoginRequest[] {
  return Array.from({ length: count }, () => ({ email: `nobody-${strangers++}@shop.example`, password }));
}

/** Counts an outcome. */
export function countOf(statuses: readonly string[], wanted: string): number {
  return statuses.filter((status) => status === wanted).length;
}

/** What scripts read of the session's clock. */
export function clockOf(jar: Jar) {
  return decodeJwt<{ exp: number; ren: number; lid?: string }>(jar.LoginToken ?? "");
}

/** Renews the session of a browser. */
export async function renewed({ login }: Pick<Bench, "login">, jar: Jar): Promise<{ status: string; jar: Jar }> {
  const { status, cookies } = await login.renewSession(callerWith(jar));
  return { status, jar: keep(jar, cookies) };
}

/** Hashes a password with earlier parameters. */
export function olderHashOf(text: string): string {
  const nonce = Buffer.from("0123456789abcdef");
  const hash = argon2Sync("argon2id", { message: text, nonce, parallelism: 2, tagLength: 24, memory: 1024, passes: 3 });
  return `$argon2id$v=19$m=1024,t=3,p=2$MDEyMzQ1Njc4OWFiY2RlZg$${hash.toString("base64").replace(/=+$/, "")}`;
}
