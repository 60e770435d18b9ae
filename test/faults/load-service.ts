import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Replica } from "./start-replica.ts";
import type { Visitors } from "./visitors.ts";

export interface Answered {
  /** `202`, another status, or what happened in place of an answer. */
  answer: string;
  /** By the clock of `performance`. */
  at: Milliseconds;
  took: Milliseconds;
}

export interface Load {
  signUps: readonly Answered[];
  footers: readonly Answered[];
  /**
   * Resolves when as many more sign-ups are taken.
   * @throws Error when that takes too long, or the service has ended
   */
  untilTaken(more: number): Promise<void>;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** Longest time in which visitors are taken again. */
const limit: Milliseconds = 30 * second;

/** Signs visitors up, as many at once, and asks for footers, one after the other. */
export function loadService(service: Replica, visitors: Visitors, atOnce: number): Load {
  const signUps: Answered[] = [];
  const footers: Answered[] = [];
  let isOver = false;
  let ended = false;
  void service.ended.then(() => {
    ended = isOver = true;
  });
  const coming = Array.from({ length: atOnce }, () => keepAsking(signUps, signUp));
  const asking = keepAsking(footers, askFooter);
  return {
    signUps,
    footers,
    async untilTaken(more) {
      const enough = visitors.acknowledged.size + more;
      const end = performance.now() + limit;
      while (visitors.acknowledged.size < enough) {
        if (ended) throw new Error(`the service has ended: ${service.stderr()}`);
        if (performance.now() > end) throw new Error(`sign-ups aren't taken again within ${limit / second} s`);
        await pause(20);
      }
    },
    async stop() {
      isOver = true;
      await Promise.all([...coming, asking]);
    },
  };

  async function keepAsking(answers: Answered[], ask: () => Promise<string>) {
    while (!isOver) {
      await pause(5);
      const asked = performance.now();
      const answer = await ask();
      const at = performance.now();
      answers.push({ answer, at, took: at - asked });
    }
  }

  async function signUp(): Promise<string> {
    return visitors.signUp(service.port).then(
      (isAnswered) => (isAnswered ? "202" : "none"),
      (error: Error) => error.message,
    );
  }

  async function askFooter(): Promise<string> {
    const answer = await fetch(`${service.origin}/fragments/footer?site=DE`).catch(() => undefined);
    await answer?.text().catch(() => undefined);
    return String(answer?.status ?? "none");
  }
}
