import { second } from "../../../client/rules/time.ts";
import { UpstreamError } from "../../platform/errors.ts";
import { createMetrics } from "../../platform/metrics.ts";
import {
  listOperations,
  type Operation,
  readDocument,
  type ServiceDocument,
} from "../../upstream/service-documents.ts";
import { createUpstream } from "../../upstream/upstream.ts";
import { type Answer, createAnswerReader } from "./answers.ts";
import type { Differs } from "./check-value.ts";
import { type Addressee, type AskedCall, type CallChanges, expectedOf, writeMessage } from "./documented-call.ts";
import type { Findings } from "./findings.ts";
import { fillIn, redact, writeCurl } from "./message.ts";

/**
 * Makes a call, and reports how the answer differs.
 * @param call - documented, by its id, or any other
 * @param what - the case of the call
 * @param statuses - the expected ones; by default, those that the document gives to a right call
 * @returns undefined if there is no answer with such a status and a readable body
 * @throws UpstreamError if the service answers no calls any more, so that nothing more can be checked
 */
export type Ask = (
  call: string | AskedCall,
  changes: CallChanges,
  what: string,
  ...statuses: number[]
) => Promise<Answer | undefined>;

/** The caller of a real service, and what its document says of it. */
export interface Probe {
  ask: Ask;
  document: ServiceDocument;
  /** The documented calls that a real service has. */
  operations: readonly Operation[];
}

/** Longest time for an answer whose document names none, in seconds. */
const usualLimit = 10;
/** In bytes, as for forwarded calls. */
const maxAnswer = 1024 * 1024;

/** Creates the caller of a real service. It sends what this service forwards of a visitor's call, within its limits. */
export function createProbe(name: string, addressee: Addressee, { count, skip }: Findings): Probe {
  const outage = { up: () => undefined, down: () => undefined };
  const limits = { deadline: usualLimit * second, maxAnswer };
  const send = createUpstream({ name, url: addressee.url, metrics: createMetrics(), outage, ...limits });
  const document = readDocument(name);
  const operations = listOperations(document).filter((operation) => !operation["x-embedded-only"]);
  const readAnswer = createAnswerReader(document, skip);
  const unanswered = new Set<string>();
  return { ask, document, operations };

  async function ask(asked: Parameters<Ask>[0], changes: CallChanges, what: string, ...statuses: number[]) {
    const call = typeof asked === "string" ? operations.find(({ operationId }) => operationId === asked) : asked;
    if (!call) throw new Error(`${name} has no call ${asked}`);
    const title = `${call.method} ${call.path}`;
    // It would take as long again.
    if (unanswered.has(title)) return undefined;
    const message = writeMessage(addressee, call, changes);
    const report = count({ call: title, case: what, curl: writeCurl(message) });
    const differs: Differs = (field, expected, found) => report(field, expected, redact(found, message));
    const expected = statuses.length > 0 ? statuses : expectedOf(call);
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
