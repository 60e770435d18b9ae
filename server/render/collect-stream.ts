import type { Readable } from "node:stream";

/** Collects everything that a stream gives into one buffer. It throws what the stream fails with. */
export async function collectStream(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}
