import type { SubscriptionFault } from "../../../client/rules/subscription.ts";
import type { NewsletterPreferences } from "../../../schemas/types.ts";
import { UpstreamError } from "../../platform/errors.ts";
import { createValidator } from "../../platform/validate.ts";
import { checkAnswer } from "../../upstream/answer-check.ts";
import { parseUpstreamJson } from "../../upstream/fetch-json.ts";
import { createUpstream, type Upstream } from "../../upstream/upstream.ts";
import {
  type NewsletterCaller,
  type NewsletterService,
  newsletterDeadline,
  type PreferencesResult,
  subscriptionStatuses,
} from "./service.ts";

const name = "newsletter";
const base = "/service/newsletter/api/internal/newsletter-subscribers";
const maxAnswer = 64 * 1024;

/** The answers to links in emails whose token is unknown or expired. */
const unknownToken = [404, 410];
/** The further answer of a service that has no call for the subscriber's page. */
const withoutPreferences = [...unknownToken, 405];

/** The texts about fields that a service refuses. It has rules of its own, which the shop doesn't know. */
const refusedFields = {
  salutation: "error.salutation.required",
  firstName: "error.name.invalid",
  lastName: "error.name.invalid",
} as const;

/**
 * Creates the client of the real newsletter service. Its API can't send an email again: an expired token is invalid,
 * and its owner may sign up again. It has no call to refuse a sign-up either, so refusing unsubscribes.
 */
export function createNewsletterUpstream(upstream: Upstream): NewsletterService {
  const ask = createUpstream({ ...upstream, name, deadline: newsletterDeadline, maxAnswer });
  const validate = createValidator<NewsletterPreferences>("newsletter-preferences");
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
    preferences: {
      async read(token, caller) {
        try {
          const { isSuccess, text } = await call("GET", `${pathOf(token)}/preferences`, caller, withoutPreferences);
          if (!isSuccess) return { status: "invalidToken" };
          return toResult(parseUpstreamJson(name, "answer", text, validate), caller);
        } catch (error) {
          // Its log reports the failure. A service may answer unknown calls in any way, and unsubscribing must work.
          if (error instanceof UpstreamError) return { status: "invalidToken" };
          throw error;
        }
      },
      async change(token, change, caller) {
        const answer = await call("PUT", pathOf(token), caller, [400, ...unknownToken], change);
        if (answer.isSuccess) return { status: "changed", fields: change };
        if (answer.status !== 400) return { status: "invalidToken" };
        const faults = findRefusedFields(answer.body.errors);
        if (faults.length === 0) throw new UpstreamError(name, "it rejects a valid change");
        return { status: "invalid", faults };
      },
    },
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
        return { status, isSuccess, retryAfter, text: answer.body, body: parseObject(answer.body) };
      },
    });
  }
}

function toResult(
  { status, site, salutation = null, firstName = null, lastName = null, ...lists }: NewsletterPreferences,
  caller: NewsletterCaller,
): PreferencesResult {
  const { consents = [], categories = [] } = lists;
  const ofSite = { site: site ?? caller.site.site };
  if (status === "UNSUBSCRIBED") return { status: "ended", ...ofSite };
  const preferences = { salutation, firstName, lastName, consents, categories };
  return { status: "found", ...ofSite, isConfirmed: status === "SUBSCRIBED", preferences };
}

/** Finds the fields of the form that a service refuses. */
function findRefusedFields(errors: unknown): SubscriptionFault[] {
  const refused = Array.isArray(errors) ? errors.map((error) => Object(error).field) : [];
  const fields = ["salutation", "firstName", "lastName"] as const;
  return fields.filter((field) => refused.includes(field)).map((field) => ({ field, key: refusedFields[field] }));
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
