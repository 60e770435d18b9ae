/**
 * Makes calls share runs of a work that does for many at once what it does for one. A call that comes while the work
 * runs waits for the next run, as it may have come too late for this one.
 * @returns what calls for a run; it throws what that run throws
 */
export function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= runAfter(running);
    return next;
  };

  async function runAfter(before: Promise<void>): Promise<void> {
    await before;
    next = undefined;
    const run = work();
    running = run.catch(() => undefined);
    return run;
  }
}
