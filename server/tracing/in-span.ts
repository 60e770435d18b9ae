import type { Span, SpanStart } from "./tracer.ts";
import { currentWork, runWork } from "./work.ts";

/**
 * Does a part of the current work in a span of its own, where spans are recorded.
 * @param run - gets the span, where there is one
 */
export async function inSpan<Result>(start: SpanStart, run: (span?: Span) => Promise<Result>): Promise<Result> {
  const work = currentWork();
  if (!work?.tracer) return run();
  const span = work.tracer.start(start, work.trace);
  try {
    return await runWork({ ...work, trace: span.context }, () => run(span));
  } catch (error) {
    span.fail(typeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Names an error by its code or its name: its message may hold something of a visitor. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
