import { type DocumentedParameter, exampleOf, type Operation } from "../../upstream/service-documents.ts";
import type { Message } from "./message.ts";

/** The cookies of a browser by name. */
export type Jar = Readonly<Record<string, string>>;

/** The value of a cookie that no service has set, and that everybody may read. */
export const unknownCookie = "unknown";

/** A documented call, or one of which nothing but its method and path is known. */
export type AskedCall = Pick<Operation, "method" | "path"> & Partial<Operation>;

/** What differs in a call from the examples of its document. */
export interface CallChanges {
  /** The name of the examples. */
  example?: string;
  /** Variable parts of the path. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Headers in place of those of every call; undefined leaves one out. */
  headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON; a text is sent as it is. */
  body?: object | string;
  /** The browser that makes the call. */
  jar?: Jar;
}

/** The service that is called, and the site that calls it. */
export interface Addressee {
  url: string;
  /** Code of the site that calls. */
  site: string;
  /** Values that calls contain as `$NAME`, and deviations never. */
  variables: Readonly<Record<string, string>>;
}

/** An address that no visitor has: https://www.rfc-editor.org/rfc/rfc5737 */
const visitor = "192.0.2.1";

/**
 * Writes a call by the examples of its document, as this service forwards it. Its query has the required parameters,
 * and those with an example of the name. Of the visitor, it has the documented headers and cookies.
 */
export function writeMessage({ url, site, variables }: Addressee, call: AskedCall, changes: CallChanges): Message {
  const { method, path, parameters = [], requestBody } = call;
  const { example = "", headers, jar = {}, query } = changes;
  const { host } = new URL(url);
  const sent = parameters.filter((one) => one.required || one.examples?.[example]);
  const values = { ...examplesOf(sent, "path", example), ...changes.path };
  const search = new URLSearchParams({ ...examplesOf(sent, "query", example), ...query });
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  const body = changes.body ?? (content && exampleOf(content, example));
  const has = (name: string) => parameters.some((one) => one.name === name);
  const secret = Object.fromEntries(Object.entries(jar).filter(([, value]) => value !== unknownCookie));
  const named = (cookie: string) => (cookie in secret ? `$${cookie}` : unknownCookie);
  const cookies = Object.keys(jar).filter((name) => has(name) && !has("X-Login-Token"));
  return {
    method,
    url,
    path: path.replaceAll(/\{(\w+)\}/g, (_all, name) => values[name] ?? "") + (search.size > 0 ? `?${search}` : ""),
    headers: {
      accept: "application/json",
      "content-type": type,
      ...(isForPages(call) && pageHeaders(url)),
      "x-site": site,
      "x-forwarded-for": visitor,
      "x-forwarded-host": host,
      // The shop's visitors use https, even if the service itself is called without.
      "x-forwarded-proto": "https",
      "x-original-address": has("X-Original-Address") ? visitor : undefined,
      "x-login-token": has("X-Login-Token") && "login" in jar ? named("login") : undefined,
      cookie: cookies.map((name) => `${name}=${named(name)}`).join("; ") || undefined,
      ...headers,
    },
    body: body === undefined || typeof body === "string" ? body : encode(Object(body), type),
    secrets: { ...variables, ...secret },
  };
}

/** The headers by which a page of the shop shows that it makes a call. */
export function pageHeaders(url: string): Record<string, string> {
  return { origin: `https://${new URL(url).host}`, "sec-fetch-site": "same-origin", "x-hunter-csrf": "1" };
}

/** Whether a call must prove that a page of the shop makes it. */
export function isForPages({ parameters = [] }: AskedCall): boolean {
  return parameters.some(({ name, required }) => name === "X-hunter-csrf" && required);
}

function examplesOf(
  parameters: readonly DocumentedParameter[],
  place: DocumentedParameter["in"],
  name: string,
): Record<string, string> {
  const there = parameters.filter((one) => one.in === place);
  return Object.fromEntries(there.map((one) => [one.name, String(exampleOf(one, name))]));
}

function encode(value: Record<string, string>, type = "application/json"): string {
  return type === "application/json" ? JSON.stringify(value) : String(new URLSearchParams(value));
}

/** Returns the statuses that a right call may get by its document. */
export function expectedOf({ responses = {}, "x-optional": isOptional = false }: AskedCall): number[] {
  const right = Object.entries(responses).filter(([status, answer]) => Number(status) < 300 || answer["x-expected"]);
  return [...right.map(([status]) => Number(status)), ...(isOptional ? [404] : [])];
}
