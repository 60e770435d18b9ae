import type { RunningServer } from "./start-server.ts";

/**
 * Checks that all servers answer the same, each in its own way.
 * @returns length of the answer in bytes
 * @throws Error naming the variant that answers otherwise
 */
export async function checkAnswers(servers: RunningServer[]): Promise<number> {
  let expected: Buffer | undefined;
  for (const { variant, url } of servers) {
    const response = await fetch(url);
    const body = Buffer.from(await response.arrayBuffer());
    expected ??= body;
    const timing = response.headers.get("server-timing") ?? "";
    if (response.status !== 200) throw new Error(`${variant.title}: answered ${response.status}`);
    if (response.headers.get("content-type") !== "text/html; charset=utf-8")
      throw new Error(`${variant.title}: no HTML`);
    if (body.length === 0 || !body.equals(expected)) throw new Error(`${variant.title}: answered other bytes`);
    if (variant.source && !timing.endsWith(`cache;desc=${variant.source}`))
      throw new Error(`${variant.title}: not a ${variant.source}, but ${timing}`);
  }
  return expected?.length ?? 0;
}
