import type { Milliseconds } from "../../client/rules/time.ts";

/** How long requests are begun one after the other, before the event loop gets to anything else. */
const turn: Milliseconds = 5;
/** How long requests are refused then: if that had no bound, a flood of them would leave no time for the others. */
const turnOfRefused: Milliseconds = 0.5;

/** Lets requests begin in the order in which they come, and the event loop do its other work in between. */
export interface Turns {
  /** Begins something when its turn comes. */
  wait(begin: () => void): void;
  /** Refuses something when its turn comes. */
  refuse(answer: () => void): void;
  /** Leaves the event loop to others as soon as one more request has begun. */
  hurry(): void;
  /** Tells how long the request that is next has waited; 0 when none waits. */
  delay(): Milliseconds;
}

/**
 * Creates the queue of a server. Node would answer all requests that have come before it looks for new ones, and it
 * takes one new connection between two such rounds: with hundreds of busy connections, health checks would wait for
 * seconds (test/server/http/overload.test.ts).
 */
export function createTurns(): Turns {
  const waiting: { since: Milliseconds; begin(): void }[] = [];
  const refused: (() => void)[] = [];
  let isPlanned = false;
  let endsAt: Milliseconds = 0;
  return {
    wait(begin) {
      waiting.push({ since: performance.now(), begin });
      plan();
    },
    refuse(answer) {
      refused.push(answer);
      plan();
    },
    hurry() {
      endsAt = 0;
    },
    delay: () => (waiting[0] ? performance.now() - waiting[0].since : 0),
  };

  function plan() {
    if (!isPlanned) setImmediate(take);
    isPlanned = true;
  }

  /** Begins at least one request, so that the service goes on however much else the event loop has to do. */
  function take() {
    isPlanned = false;
    do waiting.shift()?.begin();
    while (waiting.length > 0 && performance.now() < endsAt);
    const refusedUntil = performance.now() + turnOfRefused;
    do refused.shift()?.();
    while (refused.length > 0 && performance.now() < refusedUntil);
    // What the event loop does until the next turn counts, too: unfinished answers come before new requests.
    endsAt = performance.now() + turn;
    if (waiting.length + refused.length > 0) plan();
  }
}
