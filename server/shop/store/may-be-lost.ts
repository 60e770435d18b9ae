import { AsyncLocalStorage } from "node:async_hooks";

const marked = new AsyncLocalStorage<true>();

/**
 * Does work whose changes need only outlive the process, not a power cut, such as counts for limits: SQLite doesn't wait
 * for the disk then. PostgreSQL treats them as any others.
 */
export function changeWhatMayBeLost<Result>(work: () => Promise<Result>): Promise<Result> {
  return marked.run(true, work);
}

/** Tells whether what is done here may be lost. */
export function mayBeLost(): boolean {
  return marked.getStore() ?? false;
}
