import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { createMessageSender } from "../../upstream/message-sender.ts";

/** The maximum time for one request. */
export const sendTimeout: Milliseconds = 5 * second;

/** Creates the sender of `PURGE` with `Surrogate-Key`, as the recipe for Varnish expects it. */
export function createVarnish(url: string) {
  const sender = createMessageSender("PURGE", url, sendTimeout);
  return {
    /** @returns undefined if the edge has accepted the purge */
    send: (key: string) => sender.send({ "surrogate-key": key }),
    close: sender.close,
  };
}
