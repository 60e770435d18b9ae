import { randomUUID } from "node:crypto";
import type { SetCookie } from "cookie";
import { InvalidTokenError, parseLoginToken } from "../../../client/rules/login-token.ts";
import { day, minute, second } from "../../../client/rules/time.ts";
import { ownLoginCookies } from "../../features/login/service.ts";
import { clearedCache } from "../../http/cache-control.ts";
import { ownStaffCookies } from "../../http/cookies.ts";
import { parseTime } from "../../platform/time.ts";
import type { Answer } from "./answers.ts";
import type { Call, Jar, Probe } from "./probe.ts";
import { type Check, checkRules, unknownStaff } from "./rules.ts";

const loginBase = "/service/login/api/v1";
const customer = {
  login: { method: "POST", path: `${loginBase}/login` },
  renew: { method: "POST", path: `${loginBase}/logintoken/renew`, body: {} },
  renewLongterm: { method: "POST", path: `${loginBase}/longtermtoken/renew` },
  logout: { method: "POST", path: `${loginBase}/logout` },
  account: { email: "$CHECK_EMAIL", password: "$CHECK_PASSWORD" },
  unknown: { headers: { cookie: "login=unknown; LongtermToken=unknown" } },
};

const previewBase = "/service/preview/api";
const previewDateTime = "2026-12-24T18:00:00.000Z";
const staff = {
  login: { method: "POST", path: `${previewBase}/auth/login` },
  // Pages wait for it no longer.
  checkAuth: { method: "GET", path: `${previewBase}/auth/checkauth`, within: second },
  renew: { method: "POST", path: `${previewBase}/auth/login/renew` },
  logout: { method: "POST", path: `${previewBase}/auth/logout` },
  choose: { method: "POST", path: `${previewBase}/token`, body: { previewDateTime } },
  account: { user: "$CHECK_STAFF_USER", password: "$CHECK_STAFF_PASSWORD" },
  unknown: { headers: unknownStaff },
};
/** What this project adds: without it, the panel offers no jumps and no links. */
const additions = [
  { method: "GET", path: `${previewBase}/changes`, query: { after: previewDateTime } },
  { method: "POST", path: `${previewBase}/share`, body: { path: "/" } },
];

/** How many wrong sign-ins are tried for one address. */
const mostTries = 12;
/** The cookies that scripts read. */
const readable = ["LoginToken", "preview"];
/** By how much the clocks of servers may differ, in seconds. */
const clocksDiffer = minute / second;
/** Browsers keep no cookie longer, in seconds. */
const longest = (400 * day) / second;

/** Signs the test customer in. Returns undefined if that fails. */
export async function signIn(probe: Probe): Promise<Jar | undefined> {
  const { login, account } = customer;
  const answer = await probe({ ...login, body: account }, "of the test customer", 200);
  return answer && keep({}, answer);
}

export async function checkLogin(check: Check): Promise<void> {
  const { probe, has } = check;
  const { login, renew, renewLongterm, logout, account, unknown } = customer;
  await probe({ method: "GET", path: `${loginBase}/unknown` }, "an unknown path", 404);
  const ofStranger = { ...login, body: { email: inventAddress(), password: "wrong" } };
  await checkRules(check, [ofStranger, renew, renewLongterm, logout]);
  await probe(renew, "without cookies", 401);
  await probe({ ...renew, ...unknown }, "with unknown cookies", 401);
  await probe({ ...renewLongterm, ...unknown }, "with unknown cookies", 204);
  await probe(logout, "without cookies", 204);
  await checkWrongSignIns(check, login, "email");
  if (!has(["CHECK_EMAIL", "CHECK_PASSWORD"], "sign-in, renewal and logout")) return;
  await probe({ ...login, body: { ...account, password: "wrong" } }, "with a wrong password", 401);
  for (const stay of [false, true]) await checkCustomerSession(check, stay);
}

async function checkCustomerSession(check: Check, stay: boolean): Promise<void> {
  const { probe, leaveOut } = check;
  const { login, renew, renewLongterm, logout, account } = customer;
  const who = stay ? "by a customer who stays logged in" : "by a customer";
  const signedIn = await probe({ ...login, body: { ...account, stayLoggedIn: stay } }, who, 200);
  if (!signedIn) return;
  checkCookies(check, signedIn, stay ? ownLoginCookies : ["LoginToken", "login"]);
  let jar = keep({}, signedIn);
  if (!stay && jar.LongtermToken) signedIn.differs("cookie LongtermToken", "missing without stayLoggedIn", "set");
  let exp = checkClock(signedIn, stay);
  if (!jar.login) return leaveOut(`renewal and logout ${who}`, "the sign-in doesn't set the cookie login");

  for (const times of ["once", "again at once"]) {
    const renewed = await probe({ ...renew, jar }, `${times}, ${who}`, 201);
    if (!renewed) break;
    checkCookies(check, renewed, ["LoginToken"]);
    exp = checkClock(renewed, stay, exp);
    jar = keep(jar, renewed);
  }
  const extended = stay && (await probe({ ...renewLongterm, jar }, who, 204));
  if (extended) jar = keep(jar, extended);

  const loggedOut = await probe({ ...logout, jar }, who, 204);
  if (!loggedOut) return;
  checkRemoval(check, loggedOut, jar);
  await probe({ ...renew, jar }, "after the logout", 401);
}

export async function checkPreview(check: Check): Promise<void> {
  const { probe, has } = check;
  const { login, checkAuth, renew, logout, choose, account, unknown } = staff;
  await probe({ method: "GET", path: `${previewBase}/unknown` }, "an unknown path", 404);
  const ofStranger = { ...login, body: { user: inventAddress(), password: "wrong" } };
  await checkRules(check, [ofStranger, checkAuth, renew, logout, choose]);
  for (const call of [checkAuth, renew, choose]) {
    await probe(call, "without cookies", 401);
    await probe({ ...call, ...unknown }, "with unknown cookies", 401);
  }
  await probe(logout, "without cookies", 200);
  await checkWrongSignIns(check, login, "user");
  if (!has(["CHECK_STAFF_USER", "CHECK_STAFF_PASSWORD"], "sign-in, preview and logout of staff")) return;
  await probe({ ...login, body: { ...account, password: "wrong" } }, "with a wrong password", 401);
  await checkStaffSession(check);
}

async function checkStaffSession(check: Check): Promise<void> {
  const { probe, leaveOut } = check;
  const { login, checkAuth, renew, logout, choose, account } = staff;
  const signedIn = await probe({ ...login, body: account }, "by staff", 200);
  if (!signedIn) return;
  checkCookies(check, signedIn, ["preview", "StaffAuthToken", "CobraAuthToken"]);
  let jar = keep({}, signedIn);
  if (!jar.StaffAuthToken || !jar.CobraAuthToken)
    return leaveOut("preview and logout of staff", "the sign-in doesn't set both credentials");
  await probe({ ...checkAuth, jar }, "by staff", 200);
  for (const times of ["once", "again at once"]) {
    const renewed = await probe({ ...renew, jar }, `${times}, by staff`, 200);
    if (!renewed) break;
    checkCookies(check, renewed, []);
    jar = keep(jar, renewed);
  }

  const chosen = await probe({ ...choose, jar }, "a time", 200);
  if (chosen) {
    checkCookies(check, chosen, ["PreviewContext"]);
    jar = keep(jar, chosen);
    const found = await probe({ ...checkAuth, jar }, "after the choice of a time", 200);
    const dateTime = String(Object(found?.body).dateTime);
    if (parseTime(dateTime) !== parseTime(previewDateTime)) found?.differs("/dateTime", previewDateTime, dateTime);
  }
  for (const call of additions) {
    const answer = await probe({ ...call, jar }, "by staff", 200, 404);
    if (answer?.status === 404) leaveOut(`${call.method} ${call.path}`, "the service doesn't have it");
  }
  await probe({ ...choose, jar, query: { test: "unknown", group: "unknown" } }, "an unknown test", 400);

  const loggedOut = await probe({ ...logout, jar }, "by staff", 200);
  if (!loggedOut) return;
  checkRemoval(check, loggedOut, jar);
  await probe({ ...checkAuth, jar }, "after the logout", 401);
}

/** Invents the address of somebody whom no service knows. */
function inventAddress(): string {
  return `check-${randomUUID()}@example.com`;
}

/**
 * Checks how a sign-in refuses people whom it doesn't know, and how often they may try.
 * @param name - the field of their name
 */
async function checkWrongSignIns({ probe, leaveOut }: Check, call: Call, name: "email" | "user"): Promise<void> {
  const stranger = inventAddress();
  await probe({ ...call, body: `{ "${name}":` }, "with a body that isn't JSON", 400);
  await probe({ ...call, body: { [name]: inventAddress() } }, "without a password", 400);
  for (let tries = 1; tries <= mostTries; tries++) {
    const answer = await probe({ ...call, body: { [name]: stranger, password: "wrong" } }, "of a stranger", 401, 429);
    if (answer?.status !== 401) return;
  }
  leaveOut("429", `the service hasn't limited ${mostTries} wrong sign-ins for one address`);
}

/** Returns the cookies of a browser after an answer. */
function keep(jar: Jar, { cookies }: Answer): Jar {
  const kept = { ...jar };
  for (const cookie of cookies.values()) {
    if (isRemoved(cookie)) delete kept[cookie.name];
    else kept[cookie.name] = cookie.value ?? "";
  }
  return kept;
}

function isRemoved({ maxAge, expires }: SetCookie): boolean {
  return maxAge === undefined ? expires !== undefined && expires.getTime() <= Date.now() : maxAge <= 0;
}

/** Checks that the cookies of a session that an answer sets are for all pages of the shop and for no other site. */
function checkCookies({ leaveOut }: Check, { cookies, differs }: Answer, required: readonly string[]): void {
  const set = new Map([...cookies].filter(([, cookie]) => cookie.value !== "" && !isRemoved(cookie)));
  const names = [...ownLoginCookies, ...ownStaffCookies].filter((name) => required.includes(name) || set.has(name));
  // A service that trusts nobody's X-Forwarded-Proto can be right where it will run.
  const isSecure = names.some((name) => cookies.get(name)?.secure);
  if (names.length > 0 && !isSecure)
    leaveOut("Secure of cookies", "none is, though X-Forwarded-Proto is https: does the service trust it?");
  for (const name of names) {
    const cookie = set.get(name);
    const field = `cookie ${name}`;
    if (!cookie) {
      differs(field, "set", cookies.has(name) ? "removed" : "missing");
      continue;
    }
    const { httpOnly = false, secure = false, path = "missing", sameSite = "missing" } = cookie;
    if (httpOnly && readable.includes(name)) differs(`${field}: HttpOnly`, "missing, as scripts read it", "set");
    if (!httpOnly && !readable.includes(name)) differs(`${field}: HttpOnly`, "set", "missing");
    if (isSecure && !secure) differs(`${field}: Secure`, "set", "missing");
    if (path !== "/") differs(`${field}: Path`, "/", path);
    if (sameSite !== "lax" && sameSite !== "strict") differs(`${field}: SameSite`, "Lax or Strict", String(sameSite));
  }
}

/** Checks that an answer removes the session's cookies of a browser, and advises on its cached pages. */
function checkRemoval({ leaveOut }: Check, { cookies, headers, differs }: Answer, jar: Jar): void {
  if (headers["clear-site-data"] !== clearedCache)
    leaveOut("cached pages after a logout", `without Clear-Site-Data: ${clearedCache}, the Back button may show them`);
  for (const name of [...ownLoginCookies, ...ownStaffCookies].filter((name) => name in jar)) {
    const cookie = cookies.get(name);
    if (!cookie || !isRemoved(cookie)) differs(`cookie ${name}`, "removed", cookie ? "set" : "kept");
  }
}

/**
 * Checks the times of a session.
 * @param earliest - the end of the session until now, in seconds since 1970
 * @returns its end; undefined if that is wrong
 */
function checkClock({ cookies, differs }: Answer, stay: boolean, earliest?: number): number | undefined {
  const { value } = cookies.get("LoginToken") ?? {};
  if (!value) return undefined;
  const now = Math.floor(Date.now() / second);
  try {
    const { exp, ren, longTerm } = parseLoginToken(value);
    if (longTerm !== stay)
      differs("LoginToken.lid", `${stay ? "set with" : "missing without"} stayLoggedIn`, stay ? "missing" : "set");
    if (exp <= now || exp > now + longest) {
      differs("LoginToken.exp", `a time after now, ${now}, in seconds since 1970`, String(exp));
      return undefined;
    }
    if (earliest !== undefined && exp < earliest)
      differs("LoginToken.exp", `not before ${earliest}, as until now`, String(exp));
    if (ren > exp || ren < now - clocksDiffer)
      differs("LoginToken.ren", `between now, ${now}, and exp, ${exp}, in seconds since 1970`, String(ren));
    return exp;
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error;
    differs("LoginToken", "a JSON Web Token with exp and ren, in seconds since 1970", "something else");
    return undefined;
  }
}
