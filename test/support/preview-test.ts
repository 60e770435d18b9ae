import { parseSetCookie, type SetCookie } from "cookie";
import type { Express } from "express";
import request from "supertest";
import { addAccount } from "../../server/accounts/accounts.ts";
import { findActiveTests } from "../../server/features/abtests/index.ts";
import { createPreview } from "../../server/features/preview/embedded/preview-service.ts";
import type { PreviewRequest, PreviewService, StaffCaller } from "../../server/features/preview/service.ts";
import { createMetrics, type Metrics } from "../../server/platform/metrics.ts";
import type { SecurityEvent } from "../../server/platform/security-events.ts";
import type { Database } from "../../server/store/open-store.ts";
import { type Jar, keep } from "./login-test.ts";
import { newAddress } from "./new-address.ts";
import { seedDemo } from "./seed-demo.ts";
import { sites, testLogger, texts } from "./test-app.ts";
import { openTestStore, testKeys } from "./test-store.ts";

export const base = "/service/preview/api";
export const password = "correct horse battery staple";
export const user = "staff@shop.example";
export const ours = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
export const christmas = "2026-12-24T18:00:00.000Z";
export const summer = "2027-07-01T12:00:00.000Z";

export interface PreviewBench {
  db: Database;
  metrics: Metrics;
  /** What was reported so far. */
  events: SecurityEvent[];
  preview: PreviewService;
  /** Lets time pass, in milliseconds. */
  pass(time: number): void;
  now(): number;
}

/**
 * The service with one member of staff, on a store of its own with the demo's A/B test, at a time that only passes when
 * told to.
 */
export async function openPreview(): Promise<PreviewBench> {
  let now = Date.UTC(2026, 10, 20, 10);
  const { db } = await openTestStore(testLogger);
  await seedDemo({ db, sites, texts });
  await addAccount(db, "staff", { email: user, password });
  const events: SecurityEvent[] = [];
  const metrics = createMetrics();
  const preview = createPreview({
    keys: testKeys,
    report: (event) => events.push(event),
    ...{ db, metrics, logger: testLogger, clock: () => now },
    findTests: (at) => findActiveTests(db, at),
    footerChanges: () => [],
  });
  return { db, metrics, events, preview, pass: (time) => (now += time), now: () => now };
}

/** A caller from a network that nobody else is in, with what their browser has. */
export function callerWith({ StaffAuthToken, CobraAuthToken, PreviewContext }: Jar = {}): StaffCaller {
  return {
    address: newAddress(),
    secure: false,
    cookies: { staff: StaffAuthToken, cobra: CobraAuthToken, context: PreviewContext },
  };
}

/** The browser of staff who sign in to it. */
export async function signedIn({ preview }: PreviewBench): Promise<Jar> {
  const result = await preview.login({ user, password }, callerWith());
  if (result.status !== "success") throw new Error(`signing in ended with ${result.status}`);
  return keep({}, result.cookies);
}

/** What the browser has of staff who have chosen something to preview. */
export async function chosen({ preview }: PreviewBench, jar: Jar, request: PreviewRequest): Promise<Jar> {
  const result = await preview.choose(request, callerWith(jar));
  if (result.status !== "chosen") throw new Error(`choosing ended with ${result.status}`);
  return keep(jar, result.cookies);
}

export const cookiesOf = ({ headers }: request.Response): string[] => [headers["set-cookie"] ?? []].flat();
export const readCookies = (answer: request.Response): SetCookie[] =>
  cookiesOf(answer).map((text) => parseSetCookie(text));
export const header = (jar: Jar) => Object.entries(jar).map(([name, value]) => `${name}=${value}`);

/** A call from a page, by somebody who shares the network with nobody. The app has to trust its loopback. */
export function call(app: Express, path: string, jar: Jar = {}, headers: Record<string, string> = ours) {
  return request(app)
    .post(path)
    .set({ ...headers, "X-Forwarded-For": newAddress(), Cookie: header(jar) });
}

/** Signs a member of staff in, who is added unless they are there; the cookies of their browser. */
export async function signIn(app: Express, db: Database, name = user): Promise<Jar> {
  await addAccount(db, "staff", { email: name, password });
  return keep({}, cookiesOf(await call(app, `${base}/auth/login`).send({ user: name, password }).expect(200)));
}

/** What a browser has once something was chosen to preview. */
export async function choose(app: Express, jar: Jar, previewDateTime: string, group?: string): Promise<Jar> {
  const query = group === undefined ? "" : `?test=footer-promotion&group=${group}`;
  return keep(jar, cookiesOf(await call(app, `${base}/token${query}`, jar).send({ previewDateTime }).expect(200)));
}
