import { callService, type Fetcher, type ServiceAnswer, type ServiceRequest, timeout } from "./call-service.ts";

/**
 * Asks the login service for a new token, which it sets as a cookie.
 * @param call - aborts the call; aborted itself when the call takes too long
 */
export async function renewLoginToken(tab: Fetcher, call: AbortController): Promise<ServiceAnswer> {
  // Not all supported browsers can join two signals (https://caniuse.com/mdn-api_abortsignal_any_static).
  const timer = setTimeout(() => call.abort(), timeout);
  const answer = await renew(tab, "logintoken", { body: {}, signal: call.signal });
  clearTimeout(timer);
  return answer;
}

/**
 * Asks the login service to prolong the long-term login. Nothing depends on its answer.
 * @param call - aborts the call
 */
export function renewLongtermToken(tab: Fetcher, { signal }: AbortController): Promise<ServiceAnswer> {
  return renew(tab, "longtermtoken", { signal });
}

/**
 * Follows no redirect: it would lead to the page on which a network asks for a login of its own, and not to an answer of
 * the service.
 */
function renew(tab: Fetcher, token: string, request: ServiceRequest): Promise<ServiceAnswer> {
  const address = `/service/login/api/v1/${token}/renew`;
  return callService(address, { method: "POST", redirect: "error", ...request }, tab);
}
