import type { LoginRequest } from "../../schemas/types.ts";
import { callService } from "./call-service.ts";

export type LoginOutcome =
  | { status: "SUCCESS" | "UNAUTHORIZED" | "SERVICE_UNAVAILABLE" }
  /** `retryAfter`: in how many seconds to try again. */
  | { status: "THROTTLED"; retryAfter: number };

/** In how many seconds to try again where the service doesn't say it. */
const usualRetryAfter = 60;

/** Signs a customer in: the service sets the cookies. */
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
