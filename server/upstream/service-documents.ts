import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { dist } from "../platform/paths.ts";

/** An OpenAPI document of this build. It refers only to its own schemas. */
export interface ServiceDocument {
  info: {
    title: string;
    summary: string;
    description: string;
    version: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  /** Operations by path and method, in lower case. */
  paths: Record<string, Record<string, DocumentedCall>>;
  components: { schemas: Record<string, object>; securitySchemes?: Record<string, SecurityScheme> };
}

interface SecurityScheme {
  type: "apiKey";
  in: "cookie" | "header";
  name: string;
  description: string;
}

/** A call in its document. */
export interface DocumentedCall {
  operationId: string;
  summary: string;
  description?: string;
  /** Whether a real service lacks this call. If so, it isn't forwarded. */
  "x-embedded-only"?: boolean;
  /** Whether a real service may answer 404 in place of this call. */
  "x-optional"?: boolean;
  /** Whether this service makes the call on its own: the rules for calls of browsers don't hold. */
  "x-polled"?: boolean;
  /** The longest time for an answer, in seconds, if it isn't 10. */
  "x-time-limit"?: number;
  /**
   * The alternative ways to authenticate: each names security schemes, all of which a caller needs. Empty if anybody
   * may call.
   */
  security: Record<string, never[]>[];
  parameters?: DocumentedParameter[];
  requestBody?: { description?: string; required?: boolean; content: Record<string, DocumentedBody> };
  /** By status. */
  responses: Record<string, DocumentedResponse>;
}

export interface DocumentedHeader extends DocumentedBody {
  description: string;
  required?: boolean;
  "x-cookies"?: CookieSchema;
  /** Why a real service should send it. If so, it may be missing, though `required` says otherwise. */
  "x-advice"?: string;
}

/**
 * The schema of the cookies that an answer sets: an object with the attributes of each cookie, by the cookie's name.
 */
export interface CookieSchema {
  properties: Record<string, object>;
}

export interface DocumentedParameter extends DocumentedHeader {
  name: string;
  in: "path" | "query" | "header" | "cookie";
}

export interface DocumentedResponse {
  description: string;
  /** Whether a right call may get this status, as well as those of success. */
  "x-expected"?: boolean;
  /** Whether callers read the `type` of the error: it must be that of the example. */
  "x-reads-type"?: boolean;
  headers?: Record<string, DocumentedHeader>;
  /** By media type. */
  content?: Record<string, DocumentedBody>;
}

interface DocumentedBody {
  /** Empty if the body isn't read. */
  schema: object;
  /** The schema of the fields that the shop can use. */
  "x-usable"?: object;
  example?: unknown;
  /** Examples by name. A call with an example gets the answer with the example of the same name. */
  examples?: Record<string, DocumentedExample>;
}

interface DocumentedExample {
  /** The case of a call, for reports. */
  summary?: string;
  value: unknown;
}

/** A call with its method and path. */
export interface Operation extends DocumentedCall {
  /** In capitals. */
  method: string;
  /** With variable parts in braces. */
  path: string;
  /** Matches the paths of its calls, without a query. */
  pattern: RegExp;
}

const folder = join(dist, "schemas/openapi");

/** Lists the names of the services that a document describes; `fragments` is one of them. */
export function listServices(): string[] {
  return readdirSync(folder).map((file) => basename(file, ".json"));
}

/**
 * Reads the OpenAPI document of a service.
 * @param service - its name, such as `login`
 */
export function readDocument(service: string): ServiceDocument {
  return JSON.parse(readDocumentText(service));
}

/** Reads the document as text. */
export function readDocumentText(service: string): string {
  return readFileSync(join(folder, `${service}.json`), "utf8");
}

/** Lists the calls of a document. */
export function listOperations({ paths }: ServiceDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, calls]) => {
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`);
    return Object.entries(calls).map(([method, call]) => ({ ...call, method: method.toUpperCase(), path, pattern }));
  });
}

/**
 * Returns an example of a parameter or body.
 * @param name - of the example; the first one if there is none of this name
 */
export function exampleOf({ example, examples = {} }: Partial<DocumentedBody>, name = ""): unknown {
  const { value = example } = examples[name] ?? Object.values(examples)[0] ?? {};
  return value;
}

/** Returns the schema of an answer's JSON; undefined if the body isn't read, so that anything is allowed. */
export function readSchema({ content }: DocumentedResponse): object | undefined {
  const { schema } = content?.["application/json"] ?? {};
  return schema && Object.keys(schema).length > 0 ? schema : undefined;
}
