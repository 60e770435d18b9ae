import { type Milliseconds, second } from "../../client/rules/time.ts";

/** Nobody waits longer for an answer. */
const patience: Milliseconds = 20 * second;

export interface Visitors {
  /** Addresses whose sign-up was acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** Addresses whose sign-up wasn't acknowledged, and is tried again. */
  unanswered: readonly string[];
  /**
   * Signs up one of the unanswered, or else somebody new, each from a network of their own.
   * @returns whether the service has answered
   * @throws Error at any other answer than that the sign-up is taken
   */
  signUp(port: number): Promise<boolean>;
}

/** Creates visitors of whom nobody has signed up yet. */
export function createVisitors(): Visitors {
  const acknowledged = new Set<string>();
  const unanswered: string[] = [];
  let count = 0;

  return {
    acknowledged,
    unanswered,
    async signUp(port) {
      const email = unanswered.shift() ?? `visitor-${count++}@shop.example`;
      const status = await send(port, email);
      if (status === 202) acknowledged.add(email);
      else unanswered.push(email);
      if (status !== 202 && status !== undefined) throw new Error(`a sign-up was answered with ${status}`);
      return status !== undefined;
    },
  };

  async function send(port: number, email: string): Promise<number | undefined> {
    const network = Number(email.replaceAll(/\D/g, ""));
    const answer = await fetch(`http://127.0.0.1:${port}/service/newsletter/api/internal/newsletter-subscribers`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: `http://127.0.0.1:${port}`,
        "X-Forwarded-For": `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`,
        "X-Site": "DE",
        "X-hunter-csrf": "1",
      },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(patience),
    }).catch(() => undefined);
    // The status counts, even if the service ends before the rest of its answer.
    await answer?.text().catch(() => undefined);
    return answer?.status;
  }
}
