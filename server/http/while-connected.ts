import type { ServerResponse } from "node:http";
import { ClientGoneError } from "../errors.ts";

/** Gives a signal that aborts when the client leaves before its answer is complete. */
export function whileConnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(new ClientGoneError("the client has gone"));
  });
  return controller.signal;
}
