import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export interface Line {
  port: number;
  /** Breaks every connection, and accepts none until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Drops everything that is sent from now on, and the end of connections, without telling either side. */
  freeze(): void;
  /** Forwards new connections from now on. Earlier connections stay lost, and neither side is told. */
  thaw(): void;
}

/**
 * A proxy to a server on this machine. It can cut connections as a restart of the server does, or freeze them as a
 * network does that has forgotten its connections. Its user must cut it in the end.
 */
export async function startLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const lost = new Set<Socket>();
  let isFrozen = false;
  let server = await listen(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    cut,
    mend: async () => {
      server = await listen(port);
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) lose(socket);
    },
    thaw() {
      isFrozen = false;
    },
  };

  function lose(socket: Socket) {
    lost.add(socket);
    socket.unpipe().resume();
  }

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
        sockets.add(one.on("error", () => undefined).on("close", () => lost.has(one) || other.destroy()));
        if (isFrozen) lose(one);
        else one.pipe(other);
      }
    }).listen(on, "127.0.0.1");
    await once(listening, "listening");
    return listening;
  }
}
