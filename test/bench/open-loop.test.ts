import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openLoop, peakOf } from "./open-loop.ts";

const pace = { perSecond: 100, duration: 100, connections: 1 };

/** Starts a server that ends with the test. */
async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("charges a server that halts for every request that was due meanwhile", async () => {
  const halts = [200];
  const url = await start((_request, response) => {
    setTimeout(() => response.setHeader("Content-Length", 2).end("ok"), halts.pop());
  });
  const times = await openLoop(url, pace);
  expect(times).toHaveLength(10);
  for (const [turn, time] of times.entries()) expect(time).toBeGreaterThan(195 - turn * 10);
});

it("fails when an answer isn't what was asked for", async () => {
  const url = await start((_request, response) => response.writeHead(503).end());
  await expect(openLoop(url, pace)).rejects.toThrow("not a whole answer: HTTP/1.1 503");
});

it("tells how many answers come a second", async () => {
  const url = await start((_request, response) => {
    setTimeout(() => response.setHeader("Content-Length", 2).end("ok"), 20);
  });
  const peak = await peakOf(url, { duration: 200, connections: 5 });
  expect(peak).toBeGreaterThan(5);
  expect(peak).toBeLessThanOrEqual(5 / 0.019);
});
