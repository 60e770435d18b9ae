import type { SetCookie } from "cookie";
import type { Answer } from "./answer.ts";
import type { Check } from "./check.ts";
import type { Jar } from "./probe.ts";

/** Returns the cookies of a browser after an answer. */
export function keep(jar: Jar, { cookies }: Answer): Jar {
  const kept = { ...jar };
  for (const cookie of cookies.values()) {
    if (isRemoved(cookie)) delete kept[cookie.name];
    else kept[cookie.name] = cookie.value ?? "";
  }
  return kept;
}

/** Lists those of some cookies that an answer sets. */
export function namesOfSet<Name extends string>({ cookies }: Answer, names: readonly Name[]): Name[] {
  return names.filter((name) => {
    const cookie = cookies.get(name);
    return cookie && isSet(cookie);
  });
}

function isSet(cookie: SetCookie): boolean {
  return cookie.value !== "" && !isRemoved(cookie);
}

function isRemoved({ maxAge, expires }: SetCookie): boolean {
  return maxAge === undefined ? expires !== undefined && expires.getTime() <= Date.now() : maxAge <= 0;
}

/**
 * Checks that an answer sets cookies, for all pages of the shop and for no other site.
 * @param readable - those of them that scripts read
 */
export function checkCookies(
  { leaveOut }: Pick<Check, "leaveOut">,
  { cookies, differs }: Answer,
  names: readonly string[],
  readable: readonly string[] = [],
): void {
  // A service that trusts nobody's X-Forwarded-Proto can be right where it will run.
  const isSecure = names.some((name) => cookies.get(name)?.secure);
  if (!isSecure)
    leaveOut("Secure of cookies", "none is, though X-Forwarded-Proto is https: does the service trust it?");
  for (const name of names) {
    const cookie = cookies.get(name);
    const field = `cookie ${name}`;
    if (!cookie || !isSet(cookie)) {
      differs(field, "set", cookie ? "removed" : "missing");
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

/** Checks that an answer removes the given cookies of a browser. */
export function checkRemoval({ cookies, differs }: Answer, jar: Jar, names: readonly string[]): void {
  for (const name of names.filter((name) => name in jar)) {
    const cookie = cookies.get(name);
    if (!cookie || !isRemoved(cookie)) differs(`cookie ${name}`, "removed", cookie ? "set" : "kept");
  }
}
