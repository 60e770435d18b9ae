import type { LoginRequest } from "../../schemas/types.ts";

export type LoginOutcome =
  | { status: "SUCCESS" | "UNAUTHORIZED" | "SERVICE_UNAVAILABLE" }
  /** `retryAfter`: when to try again, in seconds. */
  | { status: "THROTTLED"; retryAfter: number };

/** Longest wait for an answer, in milliseconds. */
const timeout = 15_000;
/** When to try again where the service doesn't say it in seconds. */
const retryAfter = 60;

/** Signs a customer in: the service sets the cookies. Never throws: what goes wrong is a status. */
export async function logIn(request: LoginRequest): Promise<LoginOutcome> {
  try {
    const { status, headers } = await fetch("/service/login/api/v1/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-hunter-csrf": "1" },
      credentials: "include",
      redirect: "error",
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(timeout),
    });
    if (status === 200) return { status: "SUCCESS" };
    if (status === 401) return { status: "UNAUTHORIZED" };
    if (status === 429) return { status: "THROTTLED", retryAfter: Number(headers.get("Retry-After")) || retryAfter };
  } catch {
    // No answer is as good as a useless one.
  }
  return { status: "SERVICE_UNAVAILABLE" };
}
