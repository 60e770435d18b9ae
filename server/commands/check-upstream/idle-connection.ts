import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { quoteForShell } from "./message.ts";
import type { Deviation } from "./probe.ts";

/** The call whose connection is watched, as reports name it. */
export const watchedCall = "GET /service/";
/** This service closes an idle connection after a second, or earlier if the other one says so. */
const shortest: Milliseconds = 2 * second;

/**
 * Watches an idle connection to a service. One that the service closes too early would lose a POST.
 * @returns undefined if there is no answer
 */
export async function watchIdleConnection(url: string): Promise<Deviation[] | undefined> {
  const { Agent } = (await import("undici")).default;
  const timeouts = { connect: { timeout: second }, keepAliveTimeout: 2 * shortest, keepAliveTimeoutThreshold: 0 };
  const agent = new Agent(timeouts);
  const { origin, pathname } = new URL(url);
  const path = `${pathname.replace(/\/+$/, "")}/service/`;
  const closed = new Promise((resolve) => agent.once("disconnect", () => resolve("closed")));
  try {
    const signal = AbortSignal.timeout(5 * second);
    const { headers, body } = await agent.request({ method: "GET", path, origin, signal });
    await body.dump();
    const from = performance.now();
    const [, stated = Infinity] = /timeout=(\d+)/.exec(String(headers["keep-alive"])) ?? [];
    if (Number(stated) * second <= shortest || (await Promise.race([closed, pause(shortest)])) !== "closed") return [];
    const address = quoteForShell(origin + path);
    const deviation = {
      call: watchedCall,
      case: "an idle connection",
      field: "connection",
      expected: `must stay open for ${shortest / second} s, or for the time in Keep-Alive`,
      found: `closed after ${Math.round(performance.now() - from)} ms`,
      // The second call comes when the connection has been idle for long enough.
      curl: `curl --verbose --rate 24/m ${address} ${address}`,
    };
    return [deviation];
  } catch {
    return undefined;
  } finally {
    await agent.destroy();
  }
}
