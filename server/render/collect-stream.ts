import type { Readable } from "node:stream";

/** @returns everything that a stream gives */
export async function collectStream(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}
