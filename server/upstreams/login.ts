import { second } from "../../client/rules/time.ts";
import { UpstreamError } from "../errors.ts";
import { loginCookieHeader, removeLoginCookies } from "../services/login-cookies.ts";
import type { LoginCaller, LoginService } from "../services/login-service.ts";
import type { SignInResult } from "../services/sign-in-result.ts";
import { createAnswerCheck } from "./answer-check.ts";
import { createUpstream, type Upstream, type UpstreamAnswer } from "./upstream.ts";

const name = "login";
const calls = {
  login: { method: "POST", path: "/service/login/api/v1/login" },
  logout: { method: "POST", path: "/service/login/api/v1/logout" },
};
/** Longest time for one call. */
const deadline = 10 * second;
const maxAnswer = 64 * 1024;
/** When to try again, in seconds, where the service doesn't say so. */
const retryAfter = 60;

/**
 * Creates the caller of the real login service, whose cookies are passed on as they are. A session that it doesn't know
 * any more has ended, too: then the browser is left with none of its cookies.
 */
export function createLoginUpstream(upstream: Upstream): LoginService {
  const ask = createUpstream({ ...upstream, name, deadline, maxAnswer });
  const check = createAnswerCheck(name);
  return {
    login: (request, caller) =>
      ask({
        ...calls.login,
        ...message(request, caller),
        read(answer) {
          check(calls.login, answer);
          return resultOf(answer);
        },
      }),
    logout: (caller) =>
      ask({
        ...calls.logout,
        ...message({}, caller),
        read(answer) {
          check(calls.logout, answer);
          if (answer.status === 401) return removeLoginCookies(caller);
          if (answer.status >= 300) throw new UpstreamError(name, `status ${answer.status}`);
          return answer.headers["set-cookie"] ?? [];
        },
      }),
    removeEnded: async () => [],
  };
}

function resultOf({ status, headers }: UpstreamAnswer): SignInResult {
  if (status === 200) return { status: "success", cookies: headers["set-cookie"] ?? [] };
  if (status === 401) return { status: "unauthorized" };
  if (status === 429) return { status: "rateLimited", retryAfter: Number(headers["retry-after"]) || retryAfter };
  throw new UpstreamError(name, `status ${status}`);
}

/** Writes the request as a page of the caller's own origin would send it. */
function message(body: object, { address, secure, host, credentials }: LoginCaller) {
  const protocol = secure ? "https" : "http";
  const cookie = loginCookieHeader(credentials);
  return {
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "x-hunter-csrf": "1",
      "sec-fetch-site": "same-origin",
      origin: `${protocol}://${host}`,
      "x-forwarded-proto": protocol,
      "x-forwarded-host": host,
      ...(address && { "x-forwarded-for": address }),
      ...(cookie && { cookie }),
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}
