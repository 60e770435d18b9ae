import { randomUUID } from "node:crypto";
import { clearedCache } from "../../http/cache-control.ts";
import type { Answer } from "./answers.ts";
import type { Check } from "./check.ts";
import { isRemoved } from "./cookies.ts";
import type { Jar } from "./documented-call.ts";

/** How many wrong sign-ins are tried for one address. */
const mostTries = 12;

/**
 * Checks how often strangers may try to sign in.
 * @param id - of the operation
 * @param name - the field of their name
 */
export async function checkWrongSignIns({ ask, skip }: Check, id: string, name: "email" | "user"): Promise<void> {
  // An address that no service knows.
  const body = { [name]: `check-${randomUUID()}@example.com`, password: "wrong" };
  for (let tries = 1; tries <= mostTries; tries++) {
    const answer = await ask(id, { body }, "of a stranger", 401, 429);
    if (answer?.status !== 401) return;
  }
  skip("429", `the service hasn't limited ${mostTries} wrong sign-ins for one address`);
}

/** Reports that cookies aren't `Secure`. That may be right, because a service may trust nobody's X-Forwarded-Proto. */
export function checkSecure({ skip }: Check, { cookies }: Answer): void {
  if (![...cookies.values()].some(({ secure }) => secure))
    skip("Secure of cookies", "none is, though X-Forwarded-Proto is https: does the service trust it?");
}

/**
 * Checks that an answer removes the cookies of a browser, and advises on its cached pages.
 * @param names - of the session's cookies
 */
export function checkLogout({ skip }: Check, answer: Answer, jar: Jar, names: readonly string[]): void {
  const { cookies, headers, differs } = answer;
  if (headers["clear-site-data"] !== clearedCache)
    skip("cached pages after a logout", `without Clear-Site-Data: ${clearedCache}, the Back button may show them`);
  for (const name of names.filter((name) => name in jar)) {
    const cookie = cookies.get(name);
    if (!cookie || !isRemoved(cookie)) differs(`cookie ${name}`, "must be removed", cookie ? "set" : "kept");
  }
}
