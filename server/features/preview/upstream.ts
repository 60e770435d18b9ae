import { LRUCache } from "lru-cache";
import { second } from "../../../client/rules/time.ts";
import type { PreviewCheckAnswer } from "../../../schemas/types.ts";
import { type Caller, cookieHeader, readCookie, staffCookieNames } from "../../http/cookies.ts";
import { parseTime } from "../../platform/time.ts";
import { createValidator } from "../../platform/validate.ts";
import type { Preview } from "../../rendering/visitor.ts";
import { createBreaker } from "../../upstream/call-policies.ts";
import { createFetchJson } from "../../upstream/fetch-json.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const name = "preview";
const path = "/service/preview/api/auth/checkauth";

/** Deadline of a call, for which a footer waits. */
const deadline = second;
const maxAnswer = 16 * 1024;
/** The number of concurrent calls. Requests with invented cookies must not overload the service. */
const maxCalls = 8;

/** Finds the preview of a request's sender; undefined if there is none or nobody is signed in. */
export type FindPreview = (request: Pick<Caller, "cookies">) => Promise<Preview | undefined>;

/**
 * Creates the client of the real preview service.
 * @throws UpstreamError, by its functions
 */
export function createPreviewUpstream(upstream: Upstream): FindPreview {
  const fetchJson = createFetchJson({ ...upstream, name, deadline, maxAnswer, maxCalls, maxWaiting: 0 });
  const validate = createValidator<PreviewCheckAnswer>("preview-check-answer");
  const guard = createBreaker(name, upstream.metrics);
  const answers = new LRUCache<string, Promise<Preview | undefined>>({
    ttl: 5 * second,
    max: 200,
    memoMethod: (cookie) => guard(() => ask(cookie)),
  });
  return async (request) => {
    const hasAll = staffCookieNames.every((name) => readCookie(request, name) !== undefined);
    return hasAll ? answers.memo(cookieHeader(request, staffCookieNames)) : undefined;
  };

  async function ask(cookie: string): Promise<Preview | undefined> {
    // With these statuses the service refuses the cookies, which is no failure of the service.
    const answer = await fetchJson({ path, headers: { cookie }, validate, noneAt: [400, 401, 403, 404] });
    return answer?.status === "SUCCESS" ? readAnswer(answer) : undefined;
  }
}

function readAnswer({ dateTime = "", abTestName: test, abTestGroup: group }: PreviewCheckAnswer): Preview | undefined {
  const at = parseTime(dateTime);
  return at === undefined ? undefined : test && group ? { at, selection: { test, group } } : { at };
}
