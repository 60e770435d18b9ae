import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Express } from "express";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Calls an app without a socket, which would use memory of its own. */
export function askInProcess(app: Express, path: string, host = "de.localhost"): Promise<ServerResponse> {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url: path, headers: { host } });
  const response = new ServerResponse(request);
  return new Promise((resolve) => {
    response.end = () => {
      resolve(response);
      return response;
    };
    app(request, response);
  });
}

/** Returns the bytes that are still in use after a garbage collection. */
export async function heldMemory(): Promise<number> {
  // React ends its renders in this turn.
  await turnOfLoop();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
