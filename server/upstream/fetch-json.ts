import { UpstreamError } from "../platform/errors.ts";
import type { Validation } from "../platform/validate.ts";
import { createUpstream, type UpstreamOptions } from "./upstream.ts";

interface JsonRequest<T> {
  /** Path of the document, with its query. */
  path: string;
  headers?: Record<string, string>;
  /** Code of the site for which the document is polled, which the log of an outage names. */
  polledFor?: string | undefined;
  validate(value: unknown): Validation<T>;
  /** Statuses that mean that there is no document. Default: 404. */
  noneAt?: number[];
}

/**
 * Creates the reader of one upstream's JSON documents.
 * @returns a function that fetches one: the validated value, or undefined if there is none; it throws UpstreamError
 */
export function createFetchJson(options: UpstreamOptions) {
  const { name } = options;
  const ask = createUpstream(options);
  return <T>({ path, headers = {}, polledFor, validate, noneAt = [404] }: JsonRequest<T>): Promise<T | undefined> =>
    ask({
      method: "GET",
      path,
      polledFor,
      headers: { accept: "application/json", ...headers },
      read({ status, body }) {
        if (noneAt.includes(status)) return undefined;
        if (status !== 200) throw new UpstreamError(name, `status ${status}`);
        return parseUpstreamJson(name, "answer", body, validate);
      },
    });
}

/**
 * Parses JSON that an upstream has sent.
 * @param what - the text's name in errors, which never contain a part of it
 * @throws UpstreamError naming every fault; an upstream that answers isn't down, whatever the answer
 */
export function parseUpstreamJson<T>(
  upstream: string,
  what: string,
  text: string | Buffer,
  validate: (value: unknown) => Validation<T>,
): T {
  const result = validate(parse());
  if (result.valid) return result.data;
  throw new UpstreamError(upstream, `${what}: ${result.faults.join("; ")}`, { mayBeDown: false });

  function parse(): unknown {
    try {
      return JSON.parse(text.toString());
    } catch {
      throw new UpstreamError(upstream, `${what} isn't valid JSON`, { mayBeDown: false });
    }
  }
}
