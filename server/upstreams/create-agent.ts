import { Agent } from "undici";
import { second } from "../../client/rules/time.ts";

/** How a connection is kept and given up. */
const connection = {
  /** Longest time until there is one: a host that is gone says nothing. */
  connect: { timeout: second },
  /**
   * How long one without calls is kept. When the upstream closes it first, the next call fails, and a POST isn't
   * repeated: so this is shorter than the 2 s of gunicorn, which keeps its own for less time than others do. An upstream
   * that says how long it keeps them is believed.
   */
  keepAliveTimeout: second,
  /** Largest headers of an answer, in bytes: more than this, an nginx in front wouldn't take either. */
  maxHeaderSize: 8 * 1024,
};

/**
 * Creates the connections to an upstream.
 * @param maxAnswer - the largest body of an answer, in bytes
 */
export function createAgent(maxAnswer: number): Agent {
  return new Agent({ ...connection, maxResponseSize: maxAnswer });
}
