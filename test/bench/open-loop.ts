import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Milliseconds, second } from "../../client/rules/time.ts";

interface Pace {
  perSecond: number;
  duration: Milliseconds;
  /** How many can be asked at once; what is due beyond them waits, and its time runs. */
  connections: number;
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
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const idle: Connection[] = [];
  for (let count = 0; count < connections; count++) idle.push(await Connection.open(new URL(url), reject));
  const all = [...idle];

  const total = Math.floor((duration / second) * perSecond);
  const times: Milliseconds[] = [];
  const started = performance.now();
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
    else resolve();
  };
  const dueAt = (turn: number) => started + (turn * second) / perSecond;
  askWhatIsDue();
  try {
    await done;
  } finally {
    asked = total;
    for (const connection of all) connection.close();
  }
  return times;
}

/** A connection that is kept, with one request at a time. It reads no more of an answer than where it ends. */
class Connection {
  readonly #socket: Socket;
  readonly #question: string;
  /** Bytes of the answer that are still to come. */
  #left = 0;
  #onEnd: () => void = () => undefined;

  static async open({ host, hostname, port, pathname }: URL, onFault: (fault: Error) => void): Promise<Connection> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, "connect");
    return new Connection(socket, `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, onFault);
  }

  private constructor(socket: Socket, question: string, onFault: (fault: Error) => void) {
    this.#socket = socket;
    this.#question = question;
    socket.on("error", onFault);
    socket.on("close", () => onFault(new Error("the connection was closed")));
    socket.on("data", (chunk: Buffer) => {
      try {
        this.#read(chunk);
      } catch (fault) {
        onFault(fault as Error);
      }
    });
  }

  ask(onEnd: () => void): void {
    this.#onEnd = onEnd;
    this.#socket.write(this.#question);
  }

  close(): void {
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
