import { UpstreamError } from "../errors.ts";
import {
  type Caller,
  type NewsletterForPages,
  newsletterDeadline,
  subscriptionStatuses,
} from "../services/newsletter-service.ts";
import { createAnswerCheck } from "./answer-check.ts";
import { createUpstream, type Upstream, type UpstreamAnswer } from "./upstream.ts";

const name = "newsletter";
const base = "/service/newsletter/api/internal/newsletter-subscribers";
const maxAnswer = 64 * 1024;
/** The statuses that refuse a token: there is none such, or it has expired. */
const deadToken = [404, 410];

interface Call {
  method: string;
  path?: string;
  body?: object;
  caller: Caller;
  /** The statuses by which the service may refuse; beside them and the successes, any other one is a fault. */
  refusals: number[];
}

interface Answer {
  status: number;
  /** The object that the service has sent; an empty one when it sent anything else. */
  body: Record<string, unknown>;
  /** When to try again, in seconds. */
  retryAfter: number;
}

/**
 * Creates the caller of the real newsletter service, which uses the calls that all shops' services have. They have none
 * to resend a mail: a token that has expired, or belongs to no subscription any more, is invalid, and its owner may
 * sign up again. They have none to refuse a sign-up, either, which therefore ends as any other.
 */
export function createNewsletterUpstream(upstream: Upstream): NewsletterForPages {
  const ask = createUpstream({ ...upstream, name, deadline: newsletterDeadline, maxAnswer });
  const check = createAnswerCheck(name);
  return {
    async subscribe(request, caller) {
      const answer = await call({ method: "POST", body: request, caller, refusals: [400, 429] });
      if (answer.status === 429) return { status: "rateLimited", retryAfter: answer.retryAfter };
      if (isSuccess(answer)) return { status: "accepted" };
      if (answer.body.type !== "INVALID_EMAIL") throw new UpstreamError(name, "it refuses what keeps to the rules");
      return { status: "invalid", faults: [{ field: "email", key: "error.email.invalid" }] };
    },
    async read(token, caller) {
      const { body } = await call({ method: "GET", path: pathOf(token), caller, refusals: deadToken });
      const status = subscriptionStatuses.find((known) => known === body.status) ?? "NONE";
      if (status === "NONE") return { status: "invalidToken" };
      return { status: "found", subscription: { status, site: caller.site.site, consents: [] } };
    },
    async confirm(token, caller) {
      const path = `${pathOf(token)}/doi`;
      const answer = await call({ method: "PUT", path, caller, refusals: deadToken });
      return isSuccess(answer) ? { status: "subscribed", repeated: false } : { status: "invalidToken" };
    },
    refuse: end,
    unsubscribe: end,
    resend: async () => ({ status: "invalidToken" }),
  };

  async function end(token: string, caller: Caller) {
    const path = `${pathOf(token)}/unsubscribe`;
    const answer = await call({ method: "POST", path, caller, refusals: deadToken });
    return { status: isSuccess(answer) ? ("ended" as const) : ("invalidToken" as const) };
  }

  function call({ method, path: below = "", body, caller, refusals }: Call): Promise<Answer> {
    const path = base + below;
    return ask({
      method,
      path,
      headers: {
        accept: "application/json",
        origin: new URL(upstream.url).origin,
        "x-hunter-csrf": "1",
        "x-site": caller.site.site,
        ...(caller.address && { "x-original-address": caller.address }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      read(answer) {
        check({ method, path }, answer);
        if (!isSuccess(answer) && !refusals.includes(answer.status))
          throw new UpstreamError(name, `status ${answer.status}`);
        return readAnswer(answer);
      },
    });
  }
}

/** Tells whether the service has done what it was asked, by the same statuses as the form's script. */
function isSuccess({ status }: Pick<Answer, "status">): boolean {
  return status >= 200 && status < 300;
}

function readAnswer({ status, headers, body }: UpstreamAnswer): Answer {
  return { status, body: parse(body), retryAfter: Number(headers["retry-after"]) || 60 };
}

function pathOf(token: string): string {
  return `/${encodeURIComponent(token)}`;
}

function parse(answer: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(answer.toString());
    return typeof value === "object" && value ? { ...value } : {};
  } catch {
    return {};
  }
}
