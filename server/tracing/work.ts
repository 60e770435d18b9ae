import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type TraceContext, writeTraceContext } from "./trace-context.ts";
import type { Tracer } from "./tracer.ts";

/** What is done for one request, or by a job at one go. Its lines of the log and its calls are known by its id. */
export interface Work {
  requestId: string;
  /** Where it stands in a trace; undefined where it is in none. */
  trace: TraceContext | undefined;
  /** Records its spans; undefined where nobody collects any. */
  tracer: Tracer | undefined;
}

const underWay = new AsyncLocalStorage<Work>();

/** Gives the work that the caller is a part of. */
export function currentWork(): Work | undefined {
  return underWay.getStore();
}

/** Runs something, and all that follows from it, as a part of a work. */
export function runWork<Result>(work: Work, run: () => Result): Result {
  return underWay.run(work, run);
}

/** Runs what a job does by itself as a work of its own, also where a request has woken the job. */
export function runJob<Result>(run: () => Result): Result {
  return runWork({ requestId: randomUUID(), trace: undefined, tracer: undefined }, run);
}

/** The header of the id by which a request is known everywhere. */
export const requestIdHeader = "X-Request-Id";

/** Gives the headers by which whoever is called knows for what it is. */
export function callHeaders(): Record<string, string> {
  const work = currentWork();
  if (!work) return {};
  return { [requestIdHeader.toLowerCase()]: work.requestId, ...(work.trace && writeTraceContext(work.trace)) };
}
