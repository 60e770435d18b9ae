import { second } from "../../../client/rules/time.ts";
import { UpstreamError } from "../../platform/errors.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { listOperations, readDocument } from "../../upstream/service-documents.ts";
import { createUpstream } from "../../upstream/upstream.ts";
import { type Answer, createAnswerReader } from "./answers.ts";
import type { Differs } from "./check-value.ts";
import { type Addressee, type AskedCall, type CallChanges, successesOf, writeMessage } from "./documented-call.ts";
import { fillIn, redact, writeCurl } from "./message.ts";

/** A difference between an answer and what a real service must answer. */
export interface Deviation {
  /** Method and documented path. */
  call: string;
  /** In which cases the call was made, with semicolons between them. */
  case: string;
  /** `status`, a header, a cookie with its attribute, the path of a value in the JSON, or `answer` for the whole. */
  field: string;
  /** The end of a sentence that begins with the field, such as `must be 200`. */
  expected: string;
  /** What is there the first time. */
  found: string;
  /** The line for a shell that shows it. It names variables in place of passwords, tokens and cookies. */
  curl: string;
}

/**
 * Makes a call, and reports how the answer differs.
 * @param call - documented, by its id, or any other
 * @param what - the case of the call
 * @param statuses - the expected ones; by default, the documented ones of success
 * @returns undefined if there is no answer with such a status and a readable body
 * @throws UpstreamError if the service answers no calls any more, so that nothing more can be checked
 */
export type Ask = (
  call: string | AskedCall,
  changes: CallChanges,
  what: string,
  ...statuses: number[]
) => Promise<Answer | undefined>;

/** Longest time for an answer whose document names none, in seconds. */
const usualLimit = 10;
/** In bytes, as for forwarded calls. */
const maxAnswer = 1024 * 1024;

/** Creates the caller of a real service. It sends what this service forwards of a visitor's call, within its limits. */
export function createProbe(name: string, addressee: Addressee) {
  const outage = { up: () => undefined, down: () => undefined };
  const limits = { deadline: usualLimit * second, maxAnswer };
  const send = createUpstream({ name, url: addressee.url, metrics: createMetrics(), outage, ...limits });
  const document = readDocument(name);
  const operations = listOperations(document).filter((operation) => !operation["x-embedded-only"]);
  const readAnswer = createAnswerReader(document);
  const calls = new Map<string, number>();
  const deviations = new Map<string, Deviation>();
  const unanswered = new Set<string>();
  return { ask, calls, deviations, document, operations };

  async function ask(asked: Parameters<Ask>[0], changes: CallChanges, what: string, ...statuses: number[]) {
    const call = typeof asked === "string" ? operations.find(({ operationId }) => operationId === asked) : asked;
    if (!call) throw new Error(`${name} has no call ${asked}`);
    const title = `${call.method} ${call.path}`;
    // It would take as long again.
    if (unanswered.has(title)) return undefined;
    calls.set(title, (calls.get(title) ?? 0) + 1);
    const message = writeMessage(addressee, call, changes);
    const differs: Differs = (field, expected, found) => {
      const key = `${title} ${field} ${expected}`;
      const known = deviations.get(key);
      if (!known) {
        const shown = { found: redact(found, message), curl: writeCurl(message) };
        deviations.set(key, { call: title, case: what, field, expected, ...shown });
      } else if (!known.case.split("; ").includes(what)) known.case += `; ${what}`;
    };
    const expected = statuses.length > 0 ? statuses : successesOf(call);
    const { "x-time-limit": limit = usualLimit } = call;
    try {
      const answer = await send({ ...fillIn(message), within: limit * second, read: (read) => read });
      if (expected.includes(answer.status))
        return readAnswer(answer, call.responses?.[answer.status], changes.example, differs);
      differs("status", `must be ${expected.join(" or ")}`, String(answer.status));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      differs("answer", `must be complete within ${limit} s`, error.fault);
      unanswered.add(title);
      if (!(await isReachable())) throw error;
    }
    return undefined;
  }

  /** Whether the service answers anything at all. */
  function isReachable(): Promise<boolean> {
    const call = { method: "GET", path: "/service/", headers: {} };
    return send({ ...call, read: () => true }).catch(() => false);
  }
}
