import type { Milliseconds } from "../../../../client/rules/time.ts";

/** A clock that stands still until it is moved. */
export class Clock {
  now: Milliseconds = Date.UTC(2026, 10, 21);
  #timers = new Set<{ at: Milliseconds; run: () => void }>();

  setTimeout = (run: () => void, time: Milliseconds) => {
    const timer = { at: this.now + time, run };
    this.#timers.add(timer);
    return timer;
  };

  clearTimeout = (timer: { at: Milliseconds; run: () => void }) => void this.#timers.delete(timer);

  /** Lets time pass, with everything that happens in it. */
  async pass(time: Milliseconds): Promise<void> {
    const end = this.now + time;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  /** Makes the device sleep: timers that were due in the meantime run when it wakes. */
  sleep(time: Milliseconds): void {
    this.now += time;
  }
}

/** Waits until all promises that can be resolved are resolved. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
