import { randomUUID } from "node:crypto";
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

/** Checks that the answer to a logout removes each cookie of a browser. */
export function checkLogout({ cookies, differs }: Answer, jar: Jar): void {
  for (const name of Object.keys(jar)) {
    const cookie = cookies.get(name);
    if (!cookie || !isRemoved(cookie)) differs(`cookie ${name}`, "must be removed", cookie ? "set" : "kept");
  }
}
