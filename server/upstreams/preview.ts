import { LRUCache } from "lru-cache";
import { second } from "../../client/rules/time.ts";
import type { PreviewCheckAnswer } from "../../schemas/types.ts";
import { parseTime } from "../parse-time.ts";
import type { Preview, PreviewService } from "../services/preview-service.ts";
import { staffCookieHeader } from "../services/staff-cookies.ts";
import { createAnswerValidator } from "../validate.ts";
import { createBreaker } from "./breaker.ts";
import { createFetchJson } from "./fetch-json.ts";
import type { Upstream } from "./upstream.ts";

const name = "preview";
const path = "/service/preview/api/auth/checkauth";

/** Longest time for one call: a footer waits for it. */
const deadline = second;
const maxAnswer = 16 * 1024;
/** How many calls are under way at once. Anybody can make cookies up, and is to cost the service no more than this. */
const maxCalls = 8;
/** How long the answer to the same cookies is kept, and how many answers are. */
const kept = { ttl: 5 * second, max: 200 };

/**
 * Creates the caller that asks the real preview service what somebody has chosen there. Its function throws
 * UpstreamError.
 */
export function createPreviewUpstream(upstream: Upstream): Pick<PreviewService, "chosen"> {
  const fetchJson = createFetchJson({ ...upstream, name, deadline, maxAnswer, maxCalls, maxWaiting: 0 });
  const validate = createAnswerValidator<PreviewCheckAnswer>("preview-check-answer");
  const guard = createBreaker(name, upstream.metrics);
  const answers = new LRUCache<string, Promise<Preview | undefined>>({
    ...kept,
    memoMethod: (cookie) => guard(() => ask(cookie)),
  });
  return {
    async chosen(cookies) {
      const { staff, cobra, context } = cookies;
      return staff && cobra && context ? answers.memo(staffCookieHeader(cookies)) : undefined;
    },
  };

  async function ask(cookie: string): Promise<Preview | undefined> {
    // With these statuses the service refuses the cookies: that is no fault of it.
    const answer = await fetchJson({ path, headers: { cookie }, validate, noneAt: [400, 401, 403, 404] });
    return answer?.status === "SUCCESS" ? readAnswer(answer) : undefined;
  }
}

function readAnswer({ dateTime = "", abTestName: test, abTestGroup: group }: PreviewCheckAnswer): Preview | undefined {
  const at = parseTime(dateTime);
  return at === undefined ? undefined : test && group ? { at, selection: { test, group } } : { at };
}
