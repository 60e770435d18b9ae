import { parseSetCookie } from "cookie";
import { second } from "../../../client/rules/time.ts";
import { type Caller, cookieHeader, readCookie } from "../../http/cookies.ts";
import { UpstreamError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { checkAnswer } from "../../upstream/answer-check.ts";
import { type CookieFilter, createCookieFilter } from "../../upstream/service-cookies.ts";
import { createUpstream, type Upstream, type UpstreamAnswer } from "../../upstream/upstream.ts";
import {
  type LoginResult,
  loginCookieNames,
  ownLoginCookies,
  type PasswordLogin,
  removeLoginCookies,
} from "./service.ts";

const name = "login";
const calls = {
  login: { method: "POST", path: "/service/login/api/v1/login" },
  renew: { method: "POST", path: "/service/login/api/v1/logintoken/renew" },
  logout: { method: "POST", path: "/service/login/api/v1/logout" },
};
/** The deadline of a call. */
const deadline = 10 * second;
const maxAnswer = 64 * 1024;
/** The default of Retry-After, in seconds. */
const retryAfter = 60;

/**
 * Creates the client of the real login service, whose own cookies are forwarded. If the service doesn't know the
 * session at a logout, the cookies are removed anyway.
 */
export function createLoginUpstream(upstream: Upstream, logger: Logger): PasswordLogin {
  const ask = createUpstream({ ...upstream, name, deadline, maxAnswer });
  const filterCookies = createCookieFilter(name, ownLoginCookies, logger);
  return {
    login: (request, caller) =>
      ask({
        ...calls.login,
        ...message(request, caller),
        async read(answer) {
          await checkAnswer(name, calls.login, answer);
          return resultOf(answer, filterCookies);
        },
      }),
    logout: (caller) =>
      ask({
        ...calls.logout,
        ...message({}, caller),
        async read(answer) {
          await checkAnswer(name, calls.logout, answer);
          if (answer.status === 401) return removeLoginCookies(caller);
          if (answer.status >= 300) throw new UpstreamError(name, `status ${answer.status}`);
          return filterCookies(answer.headers["set-cookie"]);
        },
      }),
    findSession: async (caller) => (readCookie(caller, "login") ? {} : undefined),
    async resumeSession(caller) {
      if (!readCookie(caller, "LongtermToken")) return undefined;
      return ask({
        ...calls.renew,
        ...message({}, caller),
        async read(answer) {
          await checkAnswer(name, calls.renew, answer);
          const cookies = filterCookies(answer.headers["set-cookie"]);
          if (answer.status >= 300 && answer.status !== 401) throw new UpstreamError(name, `status ${answer.status}`);
          return answer.status < 300 && cookies.some(setsLogin) ? cookies : undefined;
        },
      });
    },
    identify: async () => undefined,
    findKnownEmail: async () => undefined,
    removeEndedClock: async () => [],
  };
}

/** Whether a Set-Cookie header gives the browser a credential. */
function setsLogin(header: string): boolean {
  const { name, value } = parseSetCookie(header);
  return name === "login" && value !== undefined && value !== "";
}

function resultOf({ status, headers }: UpstreamAnswer, filterCookies: CookieFilter): LoginResult {
  if (status === 200) return { status: "success", cookies: filterCookies(headers["set-cookie"]) };
  if (status === 401) return { status: "unauthorized" };
  if (status === 429) return { status: "rateLimited", retryAfter: Number(headers["retry-after"]) || retryAfter };
  throw new UpstreamError(name, `status ${status}`);
}

/** Builds the request that a same-origin page of the caller would send. */
function message(body: object, caller: Caller) {
  const { host, ip } = caller;
  const protocol = caller.secure ? "https" : "http";
  const cookie = cookieHeader(caller, loginCookieNames);
  return {
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "x-hunter-csrf": "1",
      "sec-fetch-site": "same-origin",
      origin: `${protocol}://${host}`,
      "x-forwarded-proto": protocol,
      "x-forwarded-host": host,
      ...(ip && { "x-forwarded-for": ip }),
      ...(cookie && { cookie }),
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}
