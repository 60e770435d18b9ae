import { callService, type Fetcher, type ServiceAnswer } from "./call-service.ts";

/**
 * A renewal follows no redirect: it would lead to the page on which a network asks for a login of its own, and not to an
 * answer of the service.
 */
const renewal = { method: "POST", redirect: "error" } as const;

/**
 * Asks the login service for a new token, which it sets as a cookie.
 * @param call - aborts the call
 */
export function renewLoginToken(tab: Fetcher, call: AbortController): Promise<ServiceAnswer> {
  return callService("/service/login/api/v1/logintoken/renew", { ...renewal, body: {} }, tab, call);
}

/**
 * Asks the login service to prolong the long-term login. Nothing depends on its answer.
 * @param call - aborts the call
 */
export function renewLongtermToken(tab: Fetcher, call: AbortController): Promise<ServiceAnswer> {
  return callService("/service/login/api/v1/longtermtoken/renew", renewal, tab, call);
}
