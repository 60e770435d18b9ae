import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Line {
  port: number;
  /** Breaks every connection, and takes none until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** A line to a server on this machine, which can be cut as a network or a restart of the server does. */
export async function startLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let server = await listen(0);
  const { port } = server.address() as { port: number };
  onTestFinished(cut);
  return {
    port,
    cut,
    mend: async () => {
      server = await listen(port);
    },
  };

  async function cut() {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, "close");
  }

  async function listen(on: number): Promise<Server> {
    const listening = createServer((socket) => {
      const far = connect(target, "127.0.0.1");
      for (const [one, other] of [
        [socket, far],
        [far, socket],
      ] as const) {
        sockets.add(one.on("error", () => undefined).on("close", () => other.destroy()));
        one.pipe(other);
      }
    }).listen(on, "127.0.0.1");
    await once(listening, "listening");
    return listening;
  }
}
