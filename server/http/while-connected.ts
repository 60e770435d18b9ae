import type { ServerResponse } from "node:http";
import { ClientGoneError } from "../errors.ts";

/** Gives a signal that aborts when the client leaves before its answer is complete. */
export function whileConnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableFinished) controller.abort(new ClientGoneError("the client has gone"));
  };
  // The client may have left while the request waited for something else: test/server/http/while-connected.test.ts
  if (response.destroyed) leave();
  else response.once("close", leave);
  return controller.signal;
}
