import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import type { Findings } from "./findings.ts";
import { quoteForShell } from "./message.ts";

/** This service closes an idle connection after a second, or earlier if the other one says so. */
const shortest: Milliseconds = 2 * second;

/** Checks how long a service keeps an idle connection. One that it closes too early would lose a POST. */
export async function watchIdleConnection(url: string, { count }: Findings): Promise<void> {
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
    const address = quoteForShell(origin + path);
    const differs = count({
      call: "GET /service/",
      case: "an idle connection",
      // The second call comes when the connection has been idle for long enough.
      curl: `curl --verbose --rate 24/m ${address} ${address}`,
    });
    if (Number(stated) * second <= shortest || (await Promise.race([closed, pause(shortest)])) !== "closed") return;
    const expected = `must stay open for ${shortest / second} s, or for the time in Keep-Alive`;
    differs("connection", expected, `closed after ${Math.round(performance.now() - from)} ms`);
  } catch {
    // The other calls say that there is no answer.
  } finally {
    await agent.destroy();
  }
}
