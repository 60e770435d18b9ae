import { UpstreamError } from "../errors.ts";
import type { Validation } from "../validate.ts";
import { parseJson } from "./parse-json.ts";
import { createUpstream, type UpstreamOptions } from "./upstream.ts";

interface JsonRequest<T> {
  /** Path of the document, with its query. */
  path: string;
  headers?: Record<string, string>;
  /** Tells whether the document is what it should be. */
  validate(value: unknown): Validation<T>;
  /** Statuses with which the upstream says that there is no document; 404 when nothing is given. */
  noneAt?: number[];
}

/** Fetches a JSON document: the checked value, or undefined where there is none. It throws UpstreamError. */
export type FetchJson = <T>(request: JsonRequest<T>) => Promise<T | undefined>;

/** Creates the reader of one upstream's JSON documents. */
export function createFetchJson(options: UpstreamOptions): FetchJson {
  const { name } = options;
  const ask = createUpstream(options);
  return ({ path, headers = {}, validate, noneAt = [404] }) =>
    ask({
      method: "GET",
      path,
      headers: { accept: "application/json", ...headers },
      read({ status, body }) {
        if (noneAt.includes(status)) return undefined;
        if (status !== 200) throw new UpstreamError(name, `status ${status}`);
        return parseJson(name, "answer", body, validate);
      },
    });
}
