import { UpstreamError } from "../errors.ts";
import type { Validation } from "../validate.ts";
import { createUpstream, type UpstreamOptions } from "./upstream.ts";

interface JsonRequest<T> {
  /** With the query. */
  path: string;
  headers?: Record<string, string>;
  /** Tells whether the answer is what it should be. */
  validate(value: unknown): Validation<T>;
  /** Statuses that say there is nothing. */
  noneAt?: number[];
}

/** Gets a JSON document: the checked value, or undefined where there is none. Throws UpstreamError. */
export type FetchJson = <T>(request: JsonRequest<T>) => Promise<T | undefined>;

/** Creates the reader of one upstream's JSON documents. */
export function createFetchJson(options: UpstreamOptions): FetchJson {
  const { name } = options;
  const ask = createUpstream(options);
  return async ({ path, headers = {}, validate, noneAt = [404] }) => {
    const { status, body } = await ask({ method: "GET", path, headers: { accept: "application/json", ...headers } });
    if (noneAt.includes(status)) return undefined;
    if (status !== 200) throw new UpstreamError(name, `status ${status}`);
    return parseJson(name, "answer", body.toString(), validate);
  };
}

/**
 * Reads JSON of an upstream.
 * @param what - names the text in errors, which never hold a part of it
 * @throws UpstreamError naming every fault
 */
export function parseJson<T>(
  upstream: string,
  what: string,
  text: string,
  validate: (value: unknown) => Validation<T>,
): T {
  const result = validate(parse());
  if (!result.valid) throw new UpstreamError(upstream, `${what}: ${result.faults.join("; ")}`);
  return result.data;

  function parse(): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new UpstreamError(upstream, `${what} is no JSON`);
    }
  }
}
