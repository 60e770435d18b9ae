import { UpstreamError } from "../../platform/errors.ts";
import { checkAnswer } from "../../upstream/answer-check.ts";
import { createUpstream, type Upstream } from "../../upstream/upstream.ts";
import { type NewsletterCaller, type NewsletterService, newsletterDeadline, subscriptionStatuses } from "./service.ts";

const name = "newsletter";
const base = "/service/newsletter/api/internal/newsletter-subscribers";
const maxAnswer = 64 * 1024;

/** The answers to links in emails whose token is unknown or expired. */
const unknownToken = [404, 410];

/**
 * Creates the client of the real newsletter service. Its API can't send an email again: an expired token is invalid,
 * and its owner may sign up again. It has no call to refuse a sign-up either, so refusing unsubscribes.
 */
export function createNewsletterUpstream(upstream: Upstream): NewsletterService {
  const ask = createUpstream({ ...upstream, name, deadline: newsletterDeadline, maxAnswer });
  return {
    async subscribe(request, caller) {
      const answer = await call("POST", "", caller, [400, 429], request);
      if (answer.status === 429) return { status: "rateLimited", retryAfter: answer.retryAfter };
      if (answer.isSuccess) return { status: "accepted" };
      if (answer.body.type !== "INVALID_EMAIL") throw new UpstreamError(name, "it rejects a valid sign-up");
      return { status: "invalid", faults: [{ field: "email", key: "error.email.invalid" }] };
    },
    async read(token, caller) {
      const { body } = await call("GET", pathOf(token), caller, unknownToken);
      const status = subscriptionStatuses.find((known) => known === body.status) ?? "NONE";
      if (status === "NONE") return { status: "invalidToken" };
      return { status: "found", subscription: { status, site: caller.site.site, consents: [] } };
    },
    async confirm(token, caller) {
      const { isSuccess } = await call("PUT", `${pathOf(token)}/doi`, caller, unknownToken);
      return { status: isSuccess ? "subscribed" : "invalidToken" };
    },
    refuse: end,
    unsubscribe: end,
    resend: async () => ({ status: "invalidToken" }),
  };

  async function end(token: string, caller: NewsletterCaller) {
    const { isSuccess } = await call("POST", `${pathOf(token)}/unsubscribe`, caller, unknownToken);
    return { status: isSuccess ? ("ended" as const) : ("invalidToken" as const) };
  }

  /** @param refusals - expected statuses besides 2xx; any other is an error of the service */
  function call(method: string, below: string, caller: NewsletterCaller, refusals: readonly number[], body?: object) {
    const path = base + below;
    return ask({
      method,
      path,
      headers: {
        accept: "application/json",
        // Behind a gateway, a service can't compare this origin with its host. The next line is the same evidence.
        origin: new URL(upstream.url).origin,
        "sec-fetch-site": "same-origin",
        "x-hunter-csrf": "1",
        "x-site": caller.site.site,
        ...(caller.address && { "x-original-address": caller.address }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      async read(answer) {
        await checkAnswer(name, { method, path }, answer);
        const { status } = answer;
        // The form's script takes the same statuses for success.
        const isSuccess = status >= 200 && status < 300;
        if (!isSuccess && !refusals.includes(status)) throw new UpstreamError(name, `status ${status}`);
        const retryAfter = Number(answer.headers["retry-after"]) || 60;
        return { status, isSuccess, retryAfter, body: parseObject(answer.body) };
      },
    });
  }
}

function pathOf(token: string): string {
  return `/${encodeURIComponent(token)}`;
}

/**
 * @returns an empty object unless the service has sent an object
 */
function parseObject(answer: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(answer.toString());
    return typeof value === "object" && value ? { ...value } : {};
  } catch {
    return {};
  }
}
