import type { IncomingHttpHeaders } from "node:http";
import type { Validate } from "../../platform/validate.ts";
import { isPage } from "../../upstream/answer-check.ts";
import { createDocumentValidator } from "../../upstream/document-validator.ts";
import { type DocumentedResponse, readSchema, type ServiceDocument } from "../../upstream/service-documents.ts";
import type { UpstreamAnswer } from "../../upstream/upstream.ts";
import { checkValue, type Differs, describe, parseJson } from "./check-value.ts";
import { type Cookies, checkCookies, readSetCookies } from "./cookies.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The value of its JSON; undefined for any other body. */
  body: unknown;
  /** Whether the body matches its document. */
  isDescribed: boolean;
  cookies: Cookies;
  differs: Differs;
}

/**
 * Documented headers that aren't checked: cookies are checked one by one, and a logout may leave out Clear-Site-Data.
 */
const notChecked = ["Set-Cookie", "Clear-Site-Data"];

/** Creates the reader of a service's answers, which knows them from its document. */
export function createAnswerReader(document: ServiceDocument) {
  const validators = new Map<object, Validate<unknown>>();

  /**
   * Reads an answer, and reports how it differs from its description.
   * @param example - the name of the call's example
   * @returns undefined if the body can't be read
   */
  return (
    answer: UpstreamAnswer,
    described: DocumentedResponse | undefined,
    example: string | undefined,
    differs: Differs,
  ): Answer | undefined => {
    const { status, headers } = answer;
    if (described) checkHeaders(described, headers, differs);
    const cookies = readSetCookies(headers);
    const ofCookies = described?.headers?.["Set-Cookie"]?.["x-cookies"];
    if (ofCookies) checkCookies(cookies, ofCookies, validatorOf(ofCookies), differs);
    const schema = described && readSchema(described);
    const read = readBody(answer, schema && validatorOf(schema), differs);
    if (!read) return undefined;
    if (described && read.isDescribed) checkMeaning(described, example, read.body, differs);
    return { status, headers, ...read, cookies, differs };
  };

  function validatorOf(schema: object): Validate<unknown> {
    const validate = validators.get(schema) ?? createDocumentValidator(document, schema);
    validators.set(schema, validate);
    return validate;
  }

  function checkHeaders(described: DocumentedResponse, headers: IncomingHttpHeaders, differs: Differs): void {
    for (const [name, { required, schema }] of Object.entries(described.headers ?? {})) {
      if (!required || notChecked.includes(name)) continue;
      const value = headers[name.toLowerCase()];
      if (value === undefined) differs(name, "must be set", "missing");
      else checkValue(Number(value) || value, validatorOf(schema), differs, name);
    }
  }

  /** Checks the fields that callers read, in a body that fits its schema. */
  function checkMeaning(described: DocumentedResponse, name = "", body: unknown, differs: Differs): void {
    const { "x-usable": usable, example, examples } = described.content?.["application/json"] ?? {};
    const given = Object.entries(Object(body)).filter(([, value]) => value !== null);
    if (usable) checkValue(Object.fromEntries(given), validatorOf(usable), differs);
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
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isJson = /^application\/(.+\+)?json$/.test(type);
  if (validate && type !== "" && !isJson) return void differs("Content-Type", "must be application/json", type);
  if (!validate && status < 300 && isPage(answer)) return void differs("body", "must be JSON or empty", "a page");
  if (!validate && (!isJson || body.length === 0)) return { body: undefined, isDescribed: true };
  const value = parseJson(body);
  if (value === undefined) return void differs("body", "must be valid JSON", `${body.length} bytes of something else`);
  return { body: value, isDescribed: validate === undefined || checkValue(value, validate, differs) };
}
