import type { IncomingHttpHeaders } from "node:http";
import type { Validate } from "../../platform/validate.ts";
import { isJson, isPage, mediaTypeOf } from "../../upstream/answer-check.ts";
import { createDocumentValidator } from "../../upstream/document-validator.ts";
import { type DocumentedResponse, readSchema, type ServiceDocument } from "../../upstream/service-documents.ts";
import type { UpstreamAnswer } from "../../upstream/upstream.ts";
import { checkValue, type Differs, describe, parseJson } from "./check-value.ts";
import { type Cookies, checkCookies, readSetCookies } from "./cookies.ts";
import type { Skip } from "./findings.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The value of its JSON; undefined for any other body. */
  body: unknown;
  /** Whether the body matches its document. */
  isDescribed: boolean;
  /** The cookies that its document names. */
  cookies: Cookies;
  differs: Differs;
}

/** An answer of which its document says nothing. */
const undescribed: DocumentedResponse = { description: "" };
const noCookies = { type: "object", properties: {} };

/**
 * Creates the reader of a service's answers, which knows them from its document.
 * @param skip - is told of a header that is missing, though the document recommends it
 */
export function createAnswerReader(document: ServiceDocument, skip: Skip) {
  const validators = new Map<object, Validate<unknown>>();

  /**
   * Reads an answer, and reports how it differs from its description.
   * @param example - the name of the call's example
   * @returns undefined if the body can't be read
   */
  return (
    answer: UpstreamAnswer,
    documented: DocumentedResponse | undefined,
    example: string | undefined,
    differs: Differs,
  ): Answer | undefined => {
    const { status, headers } = answer;
    const described = documented ?? undescribed;
    const { "Set-Cookie": setCookie, ...others } = described.headers ?? {};
    checkHeaders(others, headers, differs);
    const ofCookies = setCookie?.["x-cookies"] ?? noCookies;
    const cookies = readSetCookies(headers, ofCookies);
    checkCookies(cookies, validatorOf(ofCookies), differs, skip);
    const schema = readSchema(described);
    const read = readBody(answer, schema && validatorOf(schema), differs);
    if (read?.isDescribed) checkMeaning(described, example, read.body, differs);
    return read && { status, headers, ...read, cookies, differs };
  };

  function validatorOf(schema: object): Validate<unknown> {
    const validate = validators.get(schema) ?? createDocumentValidator(document, schema);
    validators.set(schema, validate);
    return validate;
  }

  function checkHeaders(
    described: NonNullable<DocumentedResponse["headers"]>,
    headers: IncomingHttpHeaders,
    differs: Differs,
  ): void {
    for (const [name, { required, schema, example, "x-advice": advice }] of Object.entries(described)) {
      const value = headers[name.toLowerCase()];
      if (advice !== undefined && value !== example) skip(`${name}: ${example}`, advice);
      else if (value !== undefined) checkValue(Number(value) || value, validatorOf(schema), differs, name);
      else if (required) differs(name, "must be set", "missing");
    }
  }

  /** Checks the fields that callers read, in a body that fits its schema. */
  function checkMeaning(described: DocumentedResponse, name = "", body: unknown, differs: Differs): void {
    const { "x-usable": usable, example, examples } = described.content?.["application/json"] ?? {};
    if (usable) checkValue(body, validatorOf(usable), differs);
    const right = examples ? examples[name]?.value : example;
    if (!described["x-reads-type"] || right === undefined) return;
    const [expected, found] = [Object(right).type, Object(body).type];
    if (found !== expected) differs("/type", `must be ${expected}`, describe(found));
  }
}

/** @returns undefined if it can't be read */
function readBody(
  answer: UpstreamAnswer,
  validate: Validate<unknown> | undefined,
  differs: Differs,
): Pick<Answer, "body" | "isDescribed"> | undefined {
  const { status, headers, body } = answer;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    return void differs("Content-Encoding", "must be missing, as the call accepts none", encoding);
  const type = mediaTypeOf(answer);
  if (validate && type !== "" && !isJson(type)) return void differs("Content-Type", "must be application/json", type);
  if (!validate && status < 300 && isPage(answer)) return void differs("body", "must be JSON or empty", "a page");
  if (!validate && (!isJson(type) || body.length === 0)) return { body: undefined, isDescribed: true };
  const value = parseJson(body);
  if (value === undefined) return void differs("body", "must be valid JSON", `${body.length} bytes of something else`);
  return { body: value, isDescribed: validate === undefined || checkValue(value, validate, differs) };
}
