import type { LoginRequest } from "../../../schemas/types.ts";
import { callService, csrfHeader } from "../../services/call-service.ts";

export type LoginOutcome =
  | { status: "SUCCESS" | "UNAUTHORIZED" | "SERVICE_UNAVAILABLE" }
  /** `retryAfter` is in seconds. */
  | { status: "THROTTLED"; retryAfter: number };

/** Used if the service doesn't send `Retry-After`, in seconds. */
const usualRetryAfter = 60;

/** Logs a customer in. The service sets the cookies. */
export async function requestLogin(request: LoginRequest): Promise<LoginOutcome> {
  const { response } = await callService("/service/login/api/v1/login", {
    method: "POST",
    body: request,
    credentials: "include",
    redirect: "error",
  });
  const { status, headers } = response;
  if (status === 200) return { status: "SUCCESS" };
  if (status === 401) return { status: "UNAUTHORIZED" };
  if (status === 429) return { status: "THROTTLED", retryAfter: Number(headers.get("Retry-After")) || usualRetryAfter };
  return { status: "SERVICE_UNAVAILABLE" };
}

/**
 * Fetches the visitor's known e-mail address.
 * @returns undefined if there is none, or the call fails
 */
export async function fetchKnownEmail(): Promise<string | undefined> {
  const address = "/service/customerfrontenddata/api/v1/psdata";
  const { response, body } = await callService(address, {
    cache: "no-store",
    credentials: "include",
    headers: csrfHeader,
  });
  return response.ok && typeof body.email === "string" ? body.email : undefined;
}
