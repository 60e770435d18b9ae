import { parseSetCookie, type SetCookie } from "cookie";
import type { Express } from "express";
import request from "supertest";
import { addAccount, findAccount } from "../../server/accounts/accounts.ts";
import type { Database } from "../../server/store/open-store.ts";
import { type Jar, keep } from "./cookie-jar.ts";
import { newAddress } from "./new-address.ts";

export const base = "/service/preview/api";
export const password = "correct horse battery staple";
export const user = "staff@shop.example";
export const ours = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
export const christmas = "2026-12-24T18:00:00.000Z";
export const summer = "2027-07-01T12:00:00.000Z";

export const cookiesOf = ({ headers }: request.Response): string[] => [headers["set-cookie"] ?? []].flat();
export const readCookies = (answer: request.Response): SetCookie[] =>
  cookiesOf(answer).map((text) => parseSetCookie(text));
export const header = (jar: Jar) => Object.entries(jar).map(([name, value]) => `${name}=${value}`);

/** Makes a call from a page, from a network of its own. The app must trust its loopback. */
export function call(app: Express, path: string, jar: Jar = {}, headers: Record<string, string> = ours) {
  return request(app)
    .post(path)
    .set({ ...headers, "X-Forwarded-For": newAddress(), Cookie: header(jar) });
}

/**
 * Signs a member of staff in, and adds them if they don't exist.
 * @returns their browser's cookies
 */
export async function signIn(app: Express, db: Database, name = user): Promise<Jar> {
  const known = await findAccount(db, "staff", name);
  if (!known) await addAccount(db, "staff", { email: name, password });
  return keep({}, cookiesOf(await call(app, `${base}/auth/login`).send({ user: name, password }).expect(200)));
}

/**
 * Selects something to preview.
 * @returns the browser's cookies after that
 */
export async function choose(app: Express, jar: Jar, previewDateTime: string, group?: string): Promise<Jar> {
  const query = group === undefined ? "" : `?test=footer-promotion&group=${group}`;
  return keep(jar, cookiesOf(await call(app, `${base}/token${query}`, jar).send({ previewDateTime }).expect(200)));
}
