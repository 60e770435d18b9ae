import { EventEmitter } from "node:events";
import type { PipeableStream } from "react-dom/server";

/** Collects everything that a render gives into one buffer. It throws what the render fails with. */
export function collectStream(stream: PipeableStream): Promise<Buffer> {
  return stream.pipe(new Collector()).collected;
}

/** Keeps each chunk as React gives it: one of Node's streams would copy strings, and let React wait in between. */
class Collector extends EventEmitter implements NodeJS.WritableStream {
  readonly writable = true;
  readonly #chunks: (string | Uint8Array)[] = [];
  readonly #end = Promise.withResolvers<Buffer>();

  get collected(): Promise<Buffer> {
    return this.#end.promise;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(chunk);
    return true;
  }

  end(): this {
    this.#end.resolve(join(this.#chunks));
    return this;
  }

  destroy(error: unknown): void {
    this.#end.reject(error);
  }
}

function join(chunks: readonly (string | Uint8Array)[]): Buffer {
  const joined = Buffer.allocUnsafe(chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0));
  let at = 0;
  for (const chunk of chunks) {
    if (typeof chunk === "string") at += joined.write(chunk, at);
    else {
      joined.set(chunk, at);
      at += chunk.length;
    }
  }
  return joined;
}
