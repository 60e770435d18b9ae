import { once } from "node:events";
import { connect } from "node:net";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** The longest wait for bytes that a service has sent, in milliseconds. */
const patience = 5_000;

export type ThreadedClient = ReturnType<typeof startThreadedClient>;

/**
 * Starts a client in a thread of its own. It receives while the service's thread is blocked, and so knows what the
 * service has sent by then.
 */
export function startThreadedClient() {
  const hasFirstChunk = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: hasFirstChunk });
  return {
    /** Sends a request. Returns each packet of the answer. */
    async send(port: number, message: string): Promise<Buffer[]> {
      hasFirstChunk[0] = 0;
      worker.postMessage({ port, message });
      const [packets] = await once(worker, "message");
      return packets.map(Buffer.from);
    },
    /** Holds the thread until the whole first chunk of an answer has arrived. Returns false if it doesn't come. */
    awaitFirstChunk(): boolean {
      Atomics.wait(hasFirstChunk, 0, 0, patience);
      return hasFirstChunk[0] === 1;
    },
    close: () => worker.terminate(),
  };
}

/** Returns the complete chunks of an answer so far: https://www.rfc-editor.org/rfc/rfc9112#section-7.1 */
export function readChunks(answer: Buffer): string[] {
  const headEnd = answer.indexOf("\r\n\r\n") + 4;
  const chunks: string[] = [];
  let rest = answer.subarray(headEnd);
  for (;;) {
    const start = rest.indexOf("\r\n") + 2;
    const size = Number.parseInt(rest.toString("latin1", 0, start), 16);
    if (headEnd < 4 || start < 2 || !(size > 0) || rest.length < start + size) break;
    chunks.push(rest.toString("utf8", start, start + size));
    rest = rest.subarray(start + size + 2);
  }
  return chunks;
}

function answerThread(state: Int32Array) {
  parentPort?.on("message", ({ port, message }) => {
    const packets: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(message));
    socket.on("data", (packet: Buffer) => {
      packets.push(packet);
      if (state[0] === 1 || readChunks(Buffer.concat(packets)).length === 0) return;
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
    });
    socket.on("end", () => parentPort?.postMessage(packets));
  });
}

if (!isMainThread && workerData instanceof Int32Array) answerThread(workerData);
