import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { UpstreamError } from "../../platform/errors.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { createUpstream } from "../../upstream/upstream.ts";
import { type Answer, createAnswerReader, type Differs } from "./answers.ts";

/** The cookies of a browser by name. */
export type Jar = Readonly<Record<string, string>>;

export interface Call {
  method: string;
  /** Documented path, with variable parts in braces. */
  path: string;
  /** The variable parts. */
  parts?: Record<string, string> | undefined;
  query?: Record<string, string>;
  /** Headers in place of those of every call; undefined leaves one out. */
  headers?: Record<string, string | undefined>;
  /** Sent as JSON; a text is sent as it is. */
  body?: object | string;
  /** The browser that makes the call. */
  jar?: Jar | undefined;
  /** Longest time for the answer, if it isn't that of the service. */
  within?: Milliseconds;
}

/** A difference between an answer and what a real service must answer. */
export interface Deviation {
  /** Method and documented path. */
  call: string;
  /** In which case the call was made. */
  case: string;
  /** `status`, a header, a cookie with its attribute, the path of a value in the JSON, or `answer` for the whole. */
  field: string;
  expected: string;
  found: string;
  /** The line for a shell that shows it. It names variables in place of passwords, tokens and cookies. */
  curl: string;
}

/**
 * Makes a call, and reports how the answer differs.
 * @param what - the case of the call
 * @param statuses - the expected ones
 * @returns undefined if there is no answer with such a status and a readable body
 * @throws UpstreamError if the service answers no calls any more, so that nothing more can be checked
 */
export type Probe = (call: Call, what: string, ...statuses: number[]) => Promise<Answer | undefined>;

export interface ProbedService {
  name: string;
  url: string;
  /** Longest time for an answer, unless it is 10 seconds. */
  deadline?: Milliseconds;
  /** Returns the headers that tell the service of a visitor and their cookies; none without. */
  visitorHeaders?(jar: Jar): Record<string, string>;
  /** Code of the site that calls. */
  site: string;
  /** Values that calls contain as `$NAME`, and deviations never. */
  variables: Readonly<Record<string, string>>;
}

/** In bytes, as for forwarded calls. */
const maxAnswer = 1024 * 1024;
/** An address that no visitor has: https://www.rfc-editor.org/rfc/rfc5737 */
export const visitor = "192.0.2.1";
const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** Creates the caller of a real service. It sends what this service forwards of a visitor's call, within its limits. */
export function createProbe(service: ProbedService) {
  const { name, url, deadline = 10 * second, visitorHeaders = () => ({}), site, variables } = service;
  const { host } = new URL(url);
  const outage = { answered: () => undefined, failed: () => undefined };
  const ask = createUpstream({ name, url, metrics: createMetrics(), outage, deadline, maxAnswer });
  const { operations, readAnswer } = createAnswerReader(name);
  const calls = new Map<string, number>();
  const deviations: Deviation[] = [];
  const unanswered = new Set<string>();
  return { calls, deviations, operations, probe };

  async function probe(call: Call, what: string, ...statuses: number[]): Promise<Answer | undefined> {
    const title = `${call.method} ${call.path}`;
    // It would take as long again.
    if (unanswered.has(title)) return undefined;
    calls.set(title, (calls.get(title) ?? 0) + 1);
    const message = messageOf(call);
    const differs: Differs = (field, expected, found) =>
      void deviations.push({
        ...{ call: title, case: what, field, expected },
        ...{ found: redact(found, message), curl: writeCurl(message) },
      });
    const { within = deadline } = call;
    try {
      const answer = await ask({ ...fillIn(message), within, read: (read) => read });
      if (statuses.includes(answer.status)) return readAnswer(call, answer, differs);
      differs("status", statuses.join(" or "), String(answer.status));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      differs("answer", `a complete one within ${within / second} s`, error.fault);
      unanswered.add(title);
      if (!(await isReachable())) throw error;
    }
    return undefined;
  }

  /** Whether the service answers anything at all. */
  function isReachable(): Promise<boolean> {
    const call = { method: "GET", path: "/service/", headers: {} };
    return ask({ ...call, read: () => true }).catch(() => false);
  }

  function messageOf({ method, path, parts = {}, query, headers, body, jar = {} }: Call): Message {
    const own = path.replaceAll(/\{(\w+)\}/g, (_all, part) => parts[part] ?? "");
    const search = query ? `?${new URLSearchParams(query)}` : "";
    const named = Object.fromEntries(Object.keys(jar).map((cookie) => [cookie, `$${cookie}`]));
    const all = {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(!safeMethods.includes(method) && {
        origin: `https://${host}`,
        "sec-fetch-site": "same-origin",
        "x-hunter-csrf": "1",
      }),
      "x-site": site,
      "x-forwarded-for": visitor,
      "x-forwarded-host": host,
      // As for the shop's visitors, however the service itself is reached.
      "x-forwarded-proto": "https",
      ...visitorHeaders(named),
      ...headers,
    };
    return {
      ...{ method, url, path: own + search, secrets: { ...variables, ...jar } },
      headers: Object.fromEntries(
        Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
      body: typeof body === "object" ? JSON.stringify(body) : body,
    };
  }
}

/** A request with `$NAME` in place of each value that nobody may read. */
interface Message {
  method: string;
  /** The URL of the service. */
  url: string;
  /** Path below it, with its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** The values by name. */
  secrets: Readonly<Record<string, string>>;
}

const placeholder = /\$(\w+)/g;

/** Returns what is sent: the message with the values. */
function fillIn({ method, path, headers, body, secrets }: Message) {
  const fill = (text: string, encode = (value: string) => value) =>
    text.replaceAll(placeholder, (all, name) => (name in secrets ? encode(secrets[name] ?? "") : all));
  return {
    method,
    path: fill(path, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    body: body === undefined ? undefined : Buffer.from(fill(body, asJson)),
  };
}

/** Removes the values from a text, as they are and as JSON has them. */
function redact(text: string, { secrets }: Message): string {
  return Object.entries(secrets).reduce((redacted, [name, value]) => {
    if (value === "") return redacted;
    return redacted.replaceAll(value, () => `$${name}`).replaceAll(asJson(value), () => `$${name}`);
  }, text);
}

function asJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Writes a message as a line for a shell, which has the values in variables. */
function writeCurl({ method, url, path, headers, body, secrets }: Message): string {
  const words = ["curl", "--include", "--request", method, quote(url.replace(/\/+$/, "") + path)];
  for (const [name, value] of Object.entries(headers)) words.push("--header", quote(`${name}: ${value}`));
  if (body !== undefined) words.push("--data", quote(body));
  return words.join(" ");

  function quote(text: string): string {
    return quoteForShell(text).replaceAll(placeholder, (all, name) => (name in secrets ? `'"$${name}"'` : all));
  }
}

/** Writes a text as a word of a line for a shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
