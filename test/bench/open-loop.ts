import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Milliseconds, second } from "../../client/rules/time.ts";

interface Load {
  duration: Milliseconds;
  /** How many can be asked at once; what is due beyond them waits, and its time runs. */
  connections: number;
}

interface Pace extends Load {
  perSecond: number;
}

/**
 * Asks for an address at a fixed rate, however long the answers take, and counts each time from the moment at which the
 * request was due. So a server that halts for a while is charged for every request that came meanwhile, as visitors
 * charge it. A load that waits for answers before it asks again, as autocannon's does, leaves these out: "coordinated
 * omission".
 * @returns the time of each answer
 * @throws Error when one isn't 200 with a Content-Length, or a connection breaks
 */
export async function openLoop(url: string, { perSecond, duration, connections }: Pace): Promise<Milliseconds[]> {
  return withConnections(url, connections, (all, resolve) => {
    const idle = [...all];
    const total = Math.floor((duration / second) * perSecond);
    const times: Milliseconds[] = [];
    const started = performance.now();
    const dueAt = (turn: number) => started + (turn * second) / perSecond;
    let asked = 0;
    // Never asleep: a timer is late by up to a millisecond, which is longer than an answer takes.
    const askWhatIsDue = () => {
      for (let due = dueAt(asked); asked < total && due <= performance.now(); due = dueAt(++asked)) {
        const connection = idle.pop();
        if (!connection) break;
        connection.ask(() => {
          times.push(performance.now() - due);
          idle.push(connection);
        });
      }
      if (times.length < total) setImmediate(askWhatIsDue);
      else resolve(times);
    };
    askWhatIsDue();
  });
}

/**
 * Asks for an address again and again, as fast as it is answered.
 * @returns how many answers came a second
 * @throws Error as `openLoop` does
 */
export async function peakOf(url: string, { duration, connections }: Load): Promise<number> {
  return withConnections(url, connections, (all, resolve) => {
    const started = performance.now();
    let answered = 0;
    const askAgain = (connection: Connection) =>
      connection.ask(() => {
        answered++;
        const took = performance.now() - started;
        if (took < duration) askAgain(connection);
        else resolve((answered / took) * second);
      });
    for (const connection of all) askAgain(connection);
  });
}

/** Does a work with connections that are closed when it has resolved, or one of them is broken. */
async function withConnections<Result>(
  url: string,
  count: number,
  work: (all: readonly Connection[], resolve: (result: Result) => void) => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const all: Connection[] = [];
  try {
    while (all.length < count) all.push(await Connection.open(new URL(url), reject));
    work(all, resolve);
    return await promise;
  } finally {
    for (const connection of all) connection.close();
  }
}

/** A connection that is kept, with one request at a time. It reads no more of an answer than where it ends. */
class Connection {
  readonly #socket: Socket;
  readonly #question: string;
  /** Bytes of the answer that are still to come. */
  #left = 0;
  #isClosed = false;
  #onEnd: () => void = () => undefined;

  static async open({ host, hostname, port, pathname }: URL, onFault: (fault: unknown) => void): Promise<Connection> {
    const connection = new Connection(
      { hostname, port: Number(port) },
      `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      onFault,
    );
    await once(connection.#socket, "connect");
    return connection;
  }

  private constructor(
    { hostname, port }: { hostname: string; port: number },
    question: string,
    onFault: (fault: unknown) => void,
  ) {
    this.#question = question;
    const read = (length: number, buffer: Uint8Array) => {
      try {
        this.#read(Buffer.from(buffer.buffer, 0, length));
      } catch (fault) {
        onFault(fault);
      }
      return true;
    };
    // One buffer for all answers: to get a new one for each would cost more than the rest.
    const onread = { buffer: Buffer.allocUnsafeSlow(64 * 1024), callback: read };
    this.#socket = connect({ host: hostname, port, noDelay: true, onread });
    this.#socket.on("error", onFault);
    this.#socket.on("close", () => onFault(new Error("the connection was closed")));
  }

  ask(onEnd: () => void): void {
    this.#onEnd = onEnd;
    if (!this.#isClosed) this.#socket.write(this.#question);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #read(chunk: Buffer) {
    if (this.#left > 0) this.#left -= chunk.length;
    else this.#left = lengthOf(chunk) - chunk.length;
    if (this.#left < 0) throw new Error("more was answered than was asked for");
    if (this.#left === 0) this.#onEnd();
  }
}

/** Gives the length of an answer with its head, which its first chunk has. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf("\r\n\r\n");
  const head = chunk.toString("latin1", 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) throw new Error(`not a whole answer: ${head}`);
  return end + 4 + Number(length);
}
