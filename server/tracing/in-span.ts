import { nameOf } from "../errors.ts";
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
    span.fail(nameOf(error));
    throw error;
  } finally {
    span.end();
  }
}
