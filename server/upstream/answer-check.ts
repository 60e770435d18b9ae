import { type IncomingHttpHeaders, validateHeaderValue } from "node:http";
import { UpstreamError } from "../platform/errors.ts";
import type { Validate, Validation } from "../platform/validate.ts";
import { parseUpstreamJson } from "./fetch-json.ts";
import { listOperations, type Operation, readDocument, readSchema, type ServiceDocument } from "./service-documents.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** A call of an upstream. */
interface UpstreamCall {
  method: string;
  /** Path of the call, with its query. */
  path: string;
}

/** The requirements of a successful answer, with any status 2xx. */
interface RightAnswer extends Pick<Operation, "method" | "pattern"> {
  /** Checks the answer's JSON; undefined if any body is allowed. */
  validate: Validate<unknown> | undefined;
  setsCookies: boolean;
}

const rightAnswers = new Map<string, Promise<RightAnswer[]>>();

/** Reads the requirements of a service's answers from its document, once. */
function rightAnswersOf(service: string): Promise<RightAnswer[]> {
  const known = rightAnswers.get(service) ?? readRightAnswers(readDocument(service));
  rightAnswers.set(service, known);
  return known;
}

async function readRightAnswers(document: ServiceDocument): Promise<RightAnswer[]> {
  // Loaded here, because only answers of real services need Ajv.
  const { createDocumentValidator } = await import("./document-validator.ts");
  return listOperations(document).map(({ method, pattern, responses }) => {
    const successes = Object.entries(responses).flatMap(([status, answer]) => (/^2/.test(status) ? answer : []));
    const schema = successes.map(readSchema).find(Boolean);
    const setsCookies = successes.some(({ headers }) => headers?.["Set-Cookie"]?.required);
    return { method, pattern, setsCookies, validate: schema && createDocumentValidator(document, schema) };
  });
}

const anything = (value: unknown): Validation<unknown> => ({ valid: true, data: value });

/**
 * Checks that an answer comes from a working service, and that a successful one has the documented form. A broken
 * upstream, or a proxy in front of it, may send a page with status 200.
 * @param upstream - its name in errors
 * @throws UpstreamError, which never contains a part of the answer
 */
export async function checkAnswer(upstream: string, call: UpstreamCall, answer: UpstreamAnswer): Promise<void> {
  const { status, headers, body } = answer;
  if (status < 200 || status > 599) throw isWrong("answer with an unknown status");
  // Its body may contain anything, such as a stack.
  if (status >= 500) throw isWrong(`status ${status}`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw isWrong("answer in an encoding that it wasn't asked for");
  if (!areHeaders(headers)) throw isWrong("answer with a header that can't be passed on");
  // From 300 on only the status counts, because servers send pages of their own with these statuses.
  if (status >= 300) return;
  const { method, path } = call;
  const [address = ""] = path.split("?", 1);
  const isCall = (known: RightAnswer) => known.method === method && known.pattern.test(address);
  const { validate, setsCookies } = (await rightAnswersOf(upstream)).find(isCall) ?? {};
  if (setsCookies && !headers["set-cookie"]) throw isWrong("answer without the cookies of a session");
  const type = mediaTypeOf(answer);
  if (validate && type && !isJson(type)) throw isWrong("answer is something else than JSON");
  if (validate) return void parseUpstreamJson(upstream, "answer", body, validate);
  if (isPage(answer)) throw isWrong("answer is a page");
  if (isJson(type) && method !== "HEAD" && body.length > 0) parseUpstreamJson(upstream, "answer", body, anything);

  function isWrong(fault: string) {
    return new UpstreamError(upstream, fault, { mayBeDown: false });
  }
}

/**
 * Returns an answer without its body if that is a page. With a status such as 404 a page is allowed, but its markup
 * must not run as this shop's.
 */
export function withoutPage(answer: UpstreamAnswer): UpstreamAnswer {
  if (!isPage(answer)) return answer;
  const { "content-type": _type, "content-length": _length, etag: _etag, ...headers } = answer.headers;
  return { ...answer, headers, body: Buffer.alloc(0) };
}

/** Whether an answer is a page: by its type, or because it begins with `<` and isn't an image. */
export function isPage({ headers, body }: UpstreamAnswer): boolean {
  const type = headers["content-type"] ?? "";
  if (/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return true;
  // The first bytes may mark the encoding, and in UTF-16 a character has another byte of 0.
  return !/^\s*image\//i.test(type) && /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(body.toString("latin1"));
}

/** Returns the media type of an answer, without parameters, in lower case; empty if it names none. */
export function mediaTypeOf({ headers }: UpstreamAnswer): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Whether a media type is one of JSON. */
export function isJson(type: string): boolean {
  return /^application\/(.+\+)?json$/.test(type);
}

/** Whether Node can write the headers. It accepts more when it reads those of an upstream. */
function areHeaders(headers: IncomingHttpHeaders): boolean {
  try {
    for (const [name, value = ""] of Object.entries(headers))
      for (const one of [value].flat()) validateHeaderValue(name, one);
    return true;
  } catch {
    return false;
  }
}
