import { callService, type Fetcher, type ServiceAnswer } from "./call-service.ts";

/**
 * What a network puts in between, so that somebody logs in to it, isn't the service's answer: therefore a renewal
 * follows no redirect.
 */
const renewal = { method: "POST", redirect: "error" } as const;

/**
 * Asks the login service for a new token, which it sets as a cookie.
 * @param call - aborts it
 */
export function renewLoginToken(tab: Fetcher, call: AbortController): Promise<ServiceAnswer> {
  return callService("/service/login/api/v1/logintoken/renew", { ...renewal, body: {} }, tab, call);
}

/**
 * Asks the login service to prolong the long-term login. Whether it does is its own affair.
 * @param call - aborts it
 */
export function renewLongtermToken(tab: Fetcher, call: AbortController): Promise<ServiceAnswer> {
  return callService("/service/login/api/v1/longtermtoken/renew", renewal, tab, call);
}
