import type { IncomingHttpHeaders } from "node:http";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { nameOf } from "../platform/errors.ts";
import { callHeaders } from "../platform/request-context.ts";

/** The reason why a message wasn't accepted, with nothing that was sent or answered. */
export interface DeliveryFailure {
  reason: string;
  /** Undefined if there was no answer. */
  status?: number;
}

/** An answer that accepts a message by its status. */
export interface Acceptance {
  status: number;
  headers: IncomingHttpHeaders;
  /** The beginning of the body: `readAtMost` characters, and the rest of their last chunk. */
  body: string;
}

/**
 * Finds why an answer doesn't accept a message although its status does.
 * @returns the reason, with nothing that was answered
 */
export type FindFault = (answer: Acceptance) => string | undefined;

/** How much of an answer is read, in characters. */
const readAtMost = 64 * 1024;

/**
 * Creates the sender of messages to a URL. A status from 200 to 299 accepts a message. Redirects aren't followed.
 * @param deadline - the maximum time for one message
 * @param findFault - judges answers that accept a message; without it, their bodies aren't read
 */
export function createMessageSender(
  method: "POST" | "PURGE",
  url: string,
  deadline: Milliseconds,
  findFault?: FindFault,
) {
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
        const { statusCode: status, headers: given } = answer;
        const isAccepted = status >= 200 && status <= 299;
        if (!isAccepted || !findFault) {
          await answer.body.dump();
          return isAccepted ? undefined : { reason: `status ${status}`, status };
        }
        const fault = findFault({ status, headers: given, body: await readStart(answer.body) });
        return fault === undefined ? undefined : { reason: fault, status };
      } catch (error) {
        return { reason: signal.aborted ? `no answer within ${deadline} ms` : `no answer (${nameOf(error)})` };
      }
    },
    close: async () => (await agent).close(),
  };
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= readAtMost) break;
  }
  return text;
}
