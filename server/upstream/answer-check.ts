import { type IncomingHttpHeaders, validateHeaderValue } from "node:http";
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
  { call: `POST ${subscribers}` },
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
interface UpstreamCall {
  method: string;
  /** Path of the call, with its query. */
  path: string;
  /** The header Accept. */
  accept?: string | string[] | undefined;
}

const known = callAnswers.map(({ call, schema, setsCookies = false }) => ({
  pattern: new RegExp(`^${call.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  setsCookies,
  validate: schema === undefined ? undefined : createValidator(schema, "answers"),
}));

const anything = (value: unknown): Validation<unknown> => ({ valid: true, data: value });

/**
 * Checks that an answer comes from a service that works, and that one of success is what such a call answers. A broken
 * upstream, or a proxy in front of it, may well send a page with the status 200.
 * @param upstream - its name in errors
 * @throws UpstreamError, which never holds a part of the answer
 */
export function checkAnswer(upstream: string, call: UpstreamCall, answer: UpstreamAnswer): void {
  const { status, headers, body } = answer;
  if (status < 200 || status > 599) throw isWrong("answer with an unknown status");
  // Its body may hold anything, such as a stack.
  if (status >= 500) throw isWrong(`status ${status}`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw isWrong("answer in an encoding that it wasn't asked for");
  if (!areHeaders(headers)) throw isWrong("answer with a header that can't be passed on");
  // From 300 on the status alone counts: servers put pages of their own below it.
  if (status >= 300) return;
  const { method, path, accept = "" } = call;
  const target = `${method} ${path.split("?", 1)[0]}`;
  const { validate, setsCookies } = known.find(({ pattern }) => pattern.test(target)) ?? {};
  if (setsCookies && !headers["set-cookie"]) throw isWrong("answer to a sign-in without cookies");
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (validate && type && !isJson(type)) throw isWrong("answer is something else than JSON");
  if (validate) return void parseJson(upstream, "answer", body, validate);
  if (type === "text/html" && !accept.includes("text/html")) throw isWrong("answer is a page");
  if (isJson(type) && method !== "HEAD" && body.length > 0) parseJson(upstream, "answer", body, anything);

  function isWrong(fault: string) {
    return new UpstreamError(upstream, fault, { mayBeDown: false });
  }
}

function isJson(type: string): boolean {
  return /^application\/(.+\+)?json$/.test(type);
}

/** Whether Node writes the headers: it reads more from an upstream. */
function areHeaders(headers: IncomingHttpHeaders): boolean {
  try {
    for (const [name, value = ""] of Object.entries(headers))
      for (const one of [value].flat()) validateHeaderValue(name, one);
    return true;
  } catch {
    return false;
  }
}
