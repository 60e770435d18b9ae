import { createServer } from "node:net";
import type { Env } from "../config/env.ts";
import { throwFaults } from "../platform/errors.ts";

/**
 * Checks that the service can listen at both of its ports.
 * @throws StartError naming each port that the system refuses
 */
export async function checkPorts({ host, port, opsPort }: Pick<Env, "host" | "port" | "opsPort">): Promise<void> {
  const refused = await Promise.all([findFault("PORT", host, port), findFault("OPS_PORT", host, opsPort)]);
  throwFaults(refused.flat());
}

/**
 * @param port - 0 is never refused
 */
function findFault(variable: string, host: string, port: number): Promise<string[]> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      const remedy = code === "EADDRINUSE" ? `: choose a free port, as in ${variable}=${port + 1} npm start` : "";
      resolve([`environment: can't listen on ${host}:${port} (${code})${remedy}`]);
    });
    server.listen({ port, host }, () => server.close(() => resolve([])));
  });
}
