import { type Milliseconds, second } from "../../client/rules/time.ts";
import { nameOf } from "../platform/errors.ts";
import { callHeaders } from "../platform/request-context.ts";

/** The reason why a message wasn't accepted, with nothing that was sent or answered. */
export interface DeliveryFailure {
  reason: string;
  /** Undefined if there was no answer. */
  status?: number;
}

/**
 * Creates the sender of messages to a URL. A status from 200 to 299 accepts a message. Redirects aren't followed.
 * @param deadline - the maximum time for one message
 */
export function createMessageSender(method: "POST" | "PURGE", url: string, deadline: Milliseconds) {
  const { origin, pathname, search } = new URL(url);
  // Idle connections are closed soon, because a message would fail on one that the receiver has closed.
  const agent = import("undici").then(({ default: { Agent } }) => new Agent({ keepAliveTimeout: second }));
  return {
    /**
     * Sends a message.
     * @returns undefined if it was accepted
     */
    async send(headers: Record<string, string>, body?: string): Promise<DeliveryFailure | undefined> {
      const signal = AbortSignal.timeout(deadline);
      try {
        const answer = await (await agent).request({
          origin,
          path: pathname + search,
          body: body ?? null,
          signal,
          // Undici accepts any method, but its type lists only the standard ones.
          method: method as "POST",
          headers: { ...headers, ...callHeaders() },
        });
        await answer.body.dump();
        const status = answer.statusCode;
        return status >= 200 && status <= 299 ? undefined : { reason: `status ${status}`, status };
      } catch (error) {
        return { reason: signal.aborted ? `no answer within ${deadline} ms` : `no answer (${nameOf(error)})` };
      }
    },
    close: async () => (await agent).close(),
  };
}
