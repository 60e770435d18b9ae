import { InvalidTokenError, parseLoginToken } from "../../../client/rules/login-token.ts";
import { day, minute, second } from "../../../client/rules/time.ts";
import type { Answer } from "./answers.ts";
import type { Check } from "./check.ts";
import { expectCookie, keep } from "./cookies.ts";
import type { Jar } from "./documented-call.ts";
import type { Ask } from "./probe.ts";
import { checkLogout, checkWrongSignIns } from "./sessions.ts";

const account = { email: "$CHECK_EMAIL", password: "$CHECK_PASSWORD" };
/** By how much the clocks of servers may differ, in seconds. */
const clocksDiffer = minute / second;
/** Browsers keep no cookie longer, in seconds. */
const longest = (400 * day) / second;

/** Signs the test customer in. Returns undefined if that fails. */
export async function signIn(ask: Ask): Promise<Jar | undefined> {
  const answer = await ask("login", { body: account }, "of the test customer");
  return answer && keep({}, answer.cookies);
}

/** Checks the login service: what its document can't say of wrong sign-ins, and of sessions from sign-in to logout. */
export async function checkLogin(check: Check): Promise<void> {
  const { ask, has } = check;
  await checkWrongSignIns(check, "login", "email");
  if (!has(["CHECK_EMAIL", "CHECK_PASSWORD"], "sign-in, renewal and logout")) return;
  await ask("login", { body: { ...account, password: "wrong" } }, "with a wrong password", 401);
  for (const stay of [false, true]) await checkSession(check, stay);
}

async function checkSession(check: Check, stay: boolean): Promise<void> {
  const { ask, skip } = check;
  const who = stay ? "by a customer who stays logged in" : "by a customer";
  const signedIn = await ask("login", { body: { ...account, stayLoggedIn: stay } }, who);
  if (!signedIn) return;
  let jar = keep({}, signedIn.cookies);
  if (stay) expectCookie(signedIn.cookies, "LongtermToken", signedIn.differs);
  else if (jar.LongtermToken) signedIn.differs("cookie LongtermToken", "must be missing without stayLoggedIn", "set");
  let exp = checkClock(signedIn, stay);
  if (!jar.login) return skip(`renewal and logout ${who}`, "the sign-in doesn't set the cookie login");

  for (const times of ["once", "again at once"]) {
    const renewed = await ask("renewLoginToken", { jar }, `${times}, ${who}`, 201);
    if (!renewed) break;
    exp = checkClock(renewed, stay, exp);
    jar = keep(jar, renewed.cookies);
  }
  const extended = stay && (await ask("renewLongtermToken", { jar }, who));
  if (extended) jar = keep(jar, extended.cookies);

  const loggedOut = await ask("logout", { jar }, who);
  if (!loggedOut) return;
  checkLogout(loggedOut, jar);
  await ask("renewLoginToken", { jar }, "after the logout", 401);
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
  const ago = (time: number) => `${time}, which is ${time - now} s from now`;
  try {
    const { exp, ren, longTerm } = parseLoginToken(value);
    if (longTerm !== stay)
      differs(
        "LoginToken.lid",
        `must be ${stay ? "set with" : "missing without"} stayLoggedIn`,
        longTerm ? "set" : "missing",
      );
    if (exp <= now || exp > now + longest) {
      differs("LoginToken.exp", "must be a time after now, in seconds since 1970", ago(exp));
      return undefined;
    }
    if (earliest !== undefined && exp < earliest)
      differs("LoginToken.exp", "must not come closer by a renewal", `${earliest - exp} s earlier than before`);
    if (ren > exp || ren < now - clocksDiffer)
      differs("LoginToken.ren", "must be between now and exp, in seconds since 1970", `${ago(ren)}; exp is ${exp}`);
    return exp;
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error;
    differs("LoginToken", "must be a JSON Web Token with exp and ren, in seconds since 1970", "something else");
    return undefined;
  }
}
