import type { ServerResponse } from "node:http";
import { ClientGoneError } from "../platform/errors.ts";

/** Returns a signal that aborts if the client disconnects before its response is complete. */
export function whileConnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableFinished) controller.abort(new ClientGoneError("the client has gone"));
  };
  // The client may have disconnected while the request waited for something else.
  if (response.destroyed) leave();
  else response.once("close", leave);
  return controller.signal;
}
