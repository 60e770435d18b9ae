import { Writable } from "node:stream";
import type { PipeableStream } from "react-dom/server";

/** Collects everything that a render gives into one buffer. It throws what the render fails with. */
export function collectStream(stream: PipeableStream): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  output.once("finish", () => resolve(Buffer.concat(chunks))).once("error", reject);
  stream.pipe(output);
  return promise;
}
