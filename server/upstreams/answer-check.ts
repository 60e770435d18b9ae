import { validateHeaderValue } from "node:http";
import { UpstreamError } from "../errors.ts";
import { type CallAnswer, callAnswers } from "../services/call-answers.ts";
import { createAnswerValidator, type Validation } from "../validate.ts";
import { parseJson } from "./parse-json.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** What an upstream was asked. */
export interface UpstreamCall {
  method: string;
  /** Path of the call, with its query. */
  path: string;
  /** What its sender takes for an answer, as the header Accept says it. */
  accept?: string | string[] | undefined;
}

/**
 * Checks that an answer is one of a service at all, and where it says that the call is done, that it is what such a call
 * answers. A broken upstream, or what stands in front of it, may well send a page with the status 200.
 */
export type AnswerCheck = (call: UpstreamCall, answer: UpstreamAnswer) => void;

/** A known call, with how to find it and to check its answer. */
interface KnownCall extends Pick<CallAnswer, "setsCookies"> {
  pattern: RegExp;
  validate: ((value: unknown) => Validation<unknown>) | undefined;
}

const anything = (value: unknown): Validation<unknown> => ({ valid: true, data: value });

/**
 * Creates the check of one upstream's answers. It throws UpstreamError, which never holds a part of the answer.
 * @param upstream - what the error calls it
 */
export function createAnswerCheck(upstream: string): AnswerCheck {
  const known = callAnswers.map(prepare);
  return (call, answer) => {
    checkHeaders(answer);
    // A status from 300 to 499 says all by itself, and servers put pages of their own below it.
    if (answer.status < 300) checkSuccess(call, answer);
    else if (answer.status >= 500) checkBody(call, answer);
  };

  function checkHeaders({ status, headers }: UpstreamAnswer) {
    if (status < 200 || status > 599) throw isWrong("answer with a status that there isn't");
    const encoding = headers["content-encoding"] ?? "identity";
    if (encoding !== "identity") throw isWrong("answer in an encoding that it wasn't asked for");
    for (const [name, value] of Object.entries(headers)) {
      for (const one of [value].flat())
        if (!isHeader(name, one)) throw isWrong("answer with a header that can't be passed on");
    }
  }

  function checkSuccess(call: UpstreamCall, answer: UpstreamAnswer) {
    const target = `${call.method} ${call.path.split("?", 1)[0]}`;
    const { validate, setsCookies } = known.find(({ pattern }) => pattern.test(target)) ?? {};
    if (setsCookies && !answer.headers["set-cookie"]) throw isWrong("answer to a sign-in without cookies");
    const type = typeOf(answer);
    if (validate && type && !isJson(type)) throw isWrong("answer is something else than JSON");
    if (validate) parseJson(upstream, "answer", answer.body, validate);
    else checkBody(call, answer);
  }

  function checkBody({ method, accept = "" }: UpstreamCall, answer: UpstreamAnswer) {
    const type = typeOf(answer);
    if (type === "text/html" && !accept.includes("text/html")) throw isWrong("answer is a page");
    if (isJson(type) && method !== "HEAD" && answer.body.length > 0)
      parseJson(upstream, "answer", answer.body, anything);
  }

  function isWrong(fault: string) {
    return new UpstreamError(upstream, fault, { mayBeDown: false });
  }
}

function prepare({ call, schema, setsCookies = false }: CallAnswer): KnownCall {
  const pattern = new RegExp(`^${call.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`);
  return { pattern, setsCookies, validate: schema === undefined ? undefined : createAnswerValidator(schema) };
}

function typeOf({ headers }: UpstreamAnswer): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function isJson(type: string): boolean {
  return /^application\/(.+\+)?json$/.test(type);
}

/** Tells whether Node writes the header. What it reads of an upstream is more than that. */
function isHeader(name: string, value: string | undefined): boolean {
  try {
    validateHeaderValue(name, value ?? "");
    return true;
  } catch {
    return false;
  }
}
