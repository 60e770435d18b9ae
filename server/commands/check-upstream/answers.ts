import type { IncomingHttpHeaders } from "node:http";
import { parseSetCookie, type SetCookie } from "cookie";
import type { Validate } from "../../platform/validate.ts";
import { isPage } from "../../upstream/answer-check.ts";
import { createDocumentValidator } from "../../upstream/document-validator.ts";
import { type DocumentedResponse, listOperations, readDocument, readSchema } from "../../upstream/service-documents.ts";
import type { UpstreamAnswer } from "../../upstream/upstream.ts";

/** Reports a field of an answer that isn't as it must be. */
export type Differs = (field: string, expected: string, found: string) => void;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The value of its JSON; undefined for any other body. */
  body: unknown;
  /** Whether the body is as its document says. */
  isDescribed: boolean;
  /** The cookies that it sets or removes, by name. */
  cookies: ReadonlyMap<string, SetCookie>;
  differs: Differs;
}

/** Cookies are checked one by one, where it is known which must be set. Without Clear-Site-Data, a logout is one, too. */
const notChecked = ["Set-Cookie", "Clear-Site-Data"];

/** Creates the reader of a service's answers, which knows them from its document. */
export function createAnswerReader(service: string) {
  const document = readDocument(service);
  const operations = listOperations(document);
  const validators = new Map<object, Validate<unknown>>();
  return {
    operations,

    /**
     * Reads an answer, and reports how it differs from its description.
     * @param call - method and documented path
     * @returns undefined if the body can't be read
     */
    readAnswer(call: { method: string; path: string }, answer: UpstreamAnswer, differs: Differs): Answer | undefined {
      const { status, headers } = answer;
      const operation = operations.find(({ method, path }) => method === call.method && path === call.path);
      const described = operation?.responses[status];
      if (described) checkHeaders(described, headers, differs);
      const schema = described && readSchema(described);
      const read = readBody(answer, schema && validatorOf(schema), differs);
      if (!read) return undefined;
      // A single one isn't in a list.
      const setCookies = [headers["set-cookie"] ?? []].flat();
      const cookies = setCookies.map((text) => parseSetCookie(text, { decode: (value) => value }));
      return { status, headers, ...read, cookies: new Map(cookies.map((cookie) => [cookie.name, cookie])), differs };
    },
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
      if (value === undefined) differs(name, "set", "missing");
      else checkValue(Number(value) || value, validatorOf(schema), differs, name);
    }
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
  if (encoding !== "identity") return void differs("Content-Encoding", "none, as the call accepts none", encoding);
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isJson = /^application\/(.+\+)?json$/.test(type);
  if (validate && type !== "" && !isJson) return void differs("Content-Type", "application/json", type);
  if (!validate && status < 300 && isPage(answer)) return void differs("body", "JSON or nothing", "a page");
  if (!validate && (!isJson || body.length === 0)) return { body: undefined, isDescribed: true };
  const value = parseJson(body);
  if (value === undefined) return void differs("body", "valid JSON", `${body.length} bytes of something else`);
  return { body: value, isDescribed: validate === undefined || checkValue(value, validate, differs) };
}

/**
 * Checks a value, and reports its faults.
 * @param at - where it is in the answer
 * @returns whether it has none
 */
export function checkValue(value: unknown, validate: Validate<unknown>, differs: Differs, at?: string): boolean {
  // The validator may change it.
  const result = validate(structuredClone(value));
  if (!result.valid) reportFaults(result.faults, value, differs, at);
  return result.valid;
}

/** @param faults - each as `/path message` */
export function reportFaults(faults: readonly string[], value: unknown, differs: Differs, at = ""): void {
  for (const fault of faults) {
    const [, path = "", message = fault] = /^(\S*) (.*)$/s.exec(fault) ?? [];
    const keys = path.split("/").slice(1);
    differs(at + path || "body", message, describe(keys.reduce<unknown>((part, key) => Object(part)[key], value)));
  }
}

/** Describes a value without what might be a credential. */
function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 40 ? `${Array.isArray(value) ? "array" : typeof value} of ${text.length} characters` : text;
}

/** Returns undefined unless a text is JSON. */
export function parseJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
