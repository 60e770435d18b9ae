import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { second } from "../../client/rules/time.ts";

export interface FaultyServer<FaultName extends string> {
  origin: string;
  /** Lets it fail in a way from now on; undefined mends it. */
  fail(name: FaultName | undefined): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a server that is well until it is told to fail.
 * @param well - what it answers while it is well
 * @param faults - what it answers otherwise; undefined where it takes no connections
 */
export async function startFaultyServer<FaultName extends string>(
  well: RequestListener,
  faults: Record<FaultName, RequestListener | undefined>,
): Promise<FaultyServer<FaultName>> {
  let answer = well;
  const server = createServer({ keepAliveTimeout: second }, (request, response) => answer(request, response));
  const port = await listen(0);
  return {
    origin: `http://127.0.0.1:${port}`,
    async fail(name) {
      const next = name === undefined ? well : faults[name];
      if (next) answer = next;
      // Calls that hang end here, and so do connections that are kept.
      server.closeAllConnections();
      if (next && !server.listening) await listen(port);
      if (!next) await close();
    },
    close,
  };

  async function listen(wanted: number): Promise<number> {
    server.listen(wanted, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  async function close() {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
}
