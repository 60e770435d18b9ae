/**
 * Loaded in front of the service, it prints a line with the main thread's processor time for every request that has
 * taken more than the limit, by the id in its header X-Fuzz. What other requests took meanwhile is counted, too. A
 * request whose id is a word is always told.
 */
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";

/** In microseconds. */
const limit = 50_000;

subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const before = cpuTime();
  response.once("close", () => {
    const cpu = cpuTime() - before;
    const id = String(request.headers["x-fuzz"]);
    if (cpu > limit || /^[a-z]/.test(id)) console.log(`fuzz ${id} took ${cpu} µs`);
  });
});

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
