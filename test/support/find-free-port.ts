import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that Linux gives to connections and to servers at port 0. Otherwise another program could take one
 * before its user does.
 */
const range = [20_000, 32_000] as const;

/** Finds a port of this machine at which no program listens, at any address. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(...range);
  const server = createServer().listen(port);
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return findFreePort();
  server.close();
  await once(server, "close");
  return port;
}
