import { randomUUID } from "node:crypto";
import type { Check } from "./check.ts";
import type { Call } from "./probe.ts";

/** How many wrong sign-ins are tried for one address. */
const most = 12;

/** Invents the address of somebody whom no service knows. */
export function inventAddress(): string {
  return `check-${randomUUID()}@example.com`;
}

/**
 * Checks how a sign-in refuses people whom it doesn't know, and how often they may try.
 * @param name - the field of their name
 */
export async function checkWrongSignIns({ probe, leaveOut }: Check, call: Call, name: "email" | "user"): Promise<void> {
  const stranger = inventAddress();
  await probe({ ...call, body: `{ "${name}":` }, "with a body that isn't JSON", 400);
  await probe({ ...call, body: { [name]: inventAddress() } }, "without a password", 400);
  for (let tries = 1; tries <= most; tries++) {
    const answer = await probe({ ...call, body: { [name]: stranger, password: "wrong" } }, "of a stranger", 401, 429);
    if (answer?.status !== 401) return;
  }
  leaveOut("429", `the service hasn't limited ${most} wrong sign-ins for one address`);
}
