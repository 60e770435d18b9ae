import { InvalidTokenError, parseLoginToken } from "../../../client/rules/login-token.ts";
import { day, minute, second } from "../../../client/rules/time.ts";
import { ownLoginCookies } from "../../features/login/service.ts";
import type { Answer } from "./answer.ts";
import type { Check } from "./check.ts";
import { checkRules } from "./rules-of-every-call.ts";
import { checkCookies, checkRemoval, keep, namesOfSet } from "./session-cookies.ts";
import { checkWrongSignIns, inventAddress } from "./wrong-sign-ins.ts";

const base = "/service/login/api/v1";
const login = { method: "POST", path: `${base}/login` };
const renew = { method: "POST", path: `${base}/logintoken/renew`, body: {} };
const renewLongterm = { method: "POST", path: `${base}/longtermtoken/renew` };
const logout = { method: "POST", path: `${base}/logout` };

const account = ["CHECK_EMAIL", "CHECK_PASSWORD"];
/** The right sign-in of the test customer. */
export const signIn = { ...login, body: { email: "$CHECK_EMAIL", password: "$CHECK_PASSWORD" } };
const unknown = { headers: { cookie: "login=unknown; LongtermToken=unknown" } };

export async function checkLogin(check: Check): Promise<void> {
  const { probe, has } = check;
  await probe({ method: "GET", path: `${base}/unknown` }, "an unknown path", 404);
  const ofStranger = { ...login, body: { email: inventAddress(), password: "wrong" } };
  await checkRules(check, [ofStranger, renew, renewLongterm, logout]);
  await probe(renew, "without cookies", 401);
  await probe({ ...renew, ...unknown }, "with unknown cookies", 401);
  await probe({ ...renewLongterm, ...unknown }, "with unknown cookies", 204);
  await probe(logout, "without cookies", 204);
  await checkWrongSignIns(check, login, "email");
  if (!has(account, "sign-in, renewal and logout")) return;
  await probe({ ...login, body: { ...signIn.body, password: "wrong" } }, "with a wrong password", 401);
  for (const stay of [false, true]) await checkSession(check, stay);
}

async function checkSession(check: Check, stay: boolean): Promise<void> {
  const { probe, leaveOut } = check;
  const who = stay ? "by a customer who stays logged in" : "by a customer";
  const signedIn = await probe({ ...login, body: { ...signIn.body, stayLoggedIn: stay } }, who, 200);
  if (!signedIn) return;
  const names = stay ? ownLoginCookies : (["LoginToken", "login"] as const);
  checkCookies(check, signedIn, names, ["LoginToken"]);
  let jar = keep({}, signedIn);
  if (!stay && jar.LongtermToken) signedIn.differs("cookie LongtermToken", "missing without stayLoggedIn", "set");
  let exp = checkClock(signedIn, stay);
  if (!jar.login) return leaveOut(`renewal and logout ${who}`, "the sign-in doesn't set the cookie login");

  for (const times of ["once", "again at once"]) {
    const renewed = await probe({ ...renew, jar }, `${times}, ${who}`, 201);
    if (!renewed) break;
    const names = new Set(["LoginToken", ...namesOfSet(renewed, ownLoginCookies)]);
    checkCookies(check, renewed, [...names], ["LoginToken"]);
    exp = checkClock(renewed, stay, exp);
    jar = keep(jar, renewed);
  }
  const extended = stay && (await probe({ ...renewLongterm, jar }, who, 204));
  if (extended) jar = keep(jar, extended);

  const loggedOut = await probe({ ...logout, jar }, who, 204);
  if (!loggedOut) return;
  checkRemoval(loggedOut, jar, ownLoginCookies);
  await probe({ ...renew, jar }, "after the logout", 401);
}

/** By how much the clocks of servers may differ, in seconds. */
const clocksDiffer = minute / second;
/** Browsers keep no cookie longer, in seconds. */
const longest = (400 * day) / second;

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
      differs(
        "LoginToken.lid",
        stay ? "set with stayLoggedIn" : "missing without stayLoggedIn",
        stay ? "missing" : "set",
      );
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
