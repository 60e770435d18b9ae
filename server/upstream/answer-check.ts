import { validateHeaderValue } from "node:http";
import { UpstreamError } from "../platform/errors.ts";
import { createValidator, type Validation } from "../platform/validate.ts";
import { parseJson } from "./fetch-json.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** The answer to a call that succeeded, by a status of 2xx. */
interface CallAnswer {
  /** Method and path, with variable parts in braces. */
  call: string;
  /** File name without `.schema.json` of the schema of its JSON; undefined for any body. */
  schema?: string;
  /** Whether it must set cookies. */
  setsCookies?: boolean;
}

const subscribers = "/service/newsletter/api/{api}/newsletter-subscribers";
const customers = "/service/newsletter/api/private/customers";
const preview = "/service/preview/api";

/** The calls whose answers are checked. */
export const callAnswers: readonly CallAnswer[] = [
  { call: `POST ${subscribers}`, schema: "newsletter-accepted" },
  { call: `GET ${subscribers}/{token}`, schema: "newsletter-status" },
  { call: `PUT ${subscribers}/{token}/doi`, schema: "newsletter-confirmed" },
  { call: `GET ${customers}/base-data`, schema: "customer" },
  { call: `GET ${customers}/newsletter-status`, schema: "newsletter-status" },
  { call: "GET /service/customerfrontenddata/api/v1/psdata", schema: "known-email" },
  { call: "POST /service/login/api/v1/login", setsCookies: true },
  { call: `POST ${preview}/auth/login`, schema: "preview-answer", setsCookies: true },
  { call: `GET ${preview}/auth/checkauth`, schema: "preview-check-answer" },
  { call: `POST ${preview}/auth/login/renew`, schema: "preview-answer" },
  { call: `POST ${preview}/auth/logout`, schema: "preview-answer" },
  { call: `POST ${preview}/token`, schema: "preview-answer" },
  { call: "GET /service/promotion/api/promotion/{key}", schema: "promotion-answer" },
  { call: "GET /service/abtestfrontend/api/v1/gettestsat", schema: "ab-tests-answer" },
];

/** A call of an upstream. */
export interface UpstreamCall {
  method: string;
  /** Path of the call, with its query. */
  path: string;
  /** The header Accept. */
  accept?: string | string[] | undefined;
}

/**
 * Checks that an answer comes from a service at all, and that one of success is what such a call answers. A broken
 * upstream, or a proxy in front of it, may well send a page with the status 200.
 */
type AnswerCheck = (call: UpstreamCall, answer: UpstreamAnswer) => void;

interface KnownCall extends Pick<CallAnswer, "setsCookies"> {
  pattern: RegExp;
  validate: ((value: unknown) => Validation<unknown>) | undefined;
}

const anything = (value: unknown): Validation<unknown> => ({ valid: true, data: value });

/**
 * Creates the check of one upstream's answers. It throws UpstreamError, which never holds a part of the answer.
 * @param upstream - its name in errors
 */
export function createAnswerCheck(upstream: string): AnswerCheck {
  const known = callAnswers.map(prepare);
  return (call, answer) => {
    checkHeaders(answer);
    // The status alone counts from 300 to 499: servers put pages of their own below it.
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
  return { pattern, setsCookies, validate: schema === undefined ? undefined : createValidator(schema, "answers") };
}

function typeOf({ headers }: UpstreamAnswer): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function isJson(type: string): boolean {
  return /^application\/(.+\+)?json$/.test(type);
}

/** Whether Node writes the header: it reads more from an upstream. */
function isHeader(name: string, value: string | undefined): boolean {
  try {
    validateHeaderValue(name, value ?? "");
    return true;
  } catch {
    return false;
  }
}
