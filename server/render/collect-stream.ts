import type { Readable } from "node:stream";

/** Collects everything that a stream gives into one buffer. It throws what the stream fails with. */
export function collectStream(stream: Readable): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  stream
    .on("data", (chunk) => chunks.push(chunk))
    .once("end", () => resolve(Buffer.concat(chunks)))
    .once("error", reject);
  return promise;
}
