import { UpstreamError } from "../../platform/errors.ts";
import { createAnswerCheck } from "../../upstream/answer-check.ts";
import { createUpstream, type Upstream, type UpstreamAnswer } from "../../upstream/upstream.ts";
import { type Caller, type NewsletterService, newsletterDeadline, subscriptionStatuses } from "./service.ts";

const name = "newsletter";
const base = "/service/newsletter/api/internal/newsletter-subscribers";
const maxAnswer = 64 * 1024;
/** The statuses for unknown and expired tokens. */
const deadToken = [404, 410];

interface Call {
  method: string;
  path?: string;
  body?: object;
  caller: Caller;
  /** Expected statuses besides 2xx; any other is an error of the service. */
  refusals: number[];
}

interface Answer {
  status: number;
  /** Empty unless the service sent an object. */
  body: Record<string, unknown>;
  /** In seconds. */
  retryAfter: number;
}

/**
 * Creates the client of the real newsletter service. Its API can't resend a mail: an expired token is invalid, and its
 * owner may sign up again. It has no call to refuse a sign-up either, so refusing unsubscribes.
 */
export function createNewsletterUpstream(upstream: Upstream): NewsletterService {
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

/** The same statuses are a success for the form's script. */
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
