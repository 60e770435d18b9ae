import type { Request } from "express";
import { ClientGoneError, RequestError } from "../errors.ts";

/**
 * Reads the body of a request to its end, as it was sent.
 * @param limit - its greatest length in bytes
 * @returns undefined when the request has no body
 * @throws RequestError when it is larger, ClientGoneError when the client leaves before its end
 */
export async function readBody(request: Request, limit: number): Promise<Buffer | undefined> {
  const { "content-length": length = 0, "transfer-encoding": encoding } = request.headers;
  if (Number(length) > limit) throw tooLarge(limit);
  if (Number(length) === 0 && !encoding) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* chunksOf(request: Request): AsyncGenerator<Buffer> {
  try {
    // A request that is destroyed has no socket left for the log to read: test/server/upstreams/forwarder.test.ts
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new ClientGoneError("the client left before the end of its request");
  }
}

function tooLarge(limit: number) {
  return new RequestError("tooLarge", `the request's body is larger than ${limit} bytes`);
}
