import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  INVALID_TRACEID,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { suppressTracing, W3CTraceContextPropagator } from "@opentelemetry/core";
import { nameOf } from "./errors.ts";

/** The common context of log lines and outgoing calls of one request, or of one run of a job. */
export interface RequestContext {
  requestId: string;
  /** OpenTelemetry's context: the current span, or the caller's if no spans are recorded. */
  trace: Context;
}

/** The context of the request or job in progress. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

const propagator = new W3CTraceContextPropagator();
const untraced = suppressTracing(ROOT_CONTEXT);

/** Runs a job once in a context of its own, even if a request has triggered it. Jobs record no spans. */
export function runJob<Result>(run: () => Result): Result {
  return requestContext.run({ requestId: randomUUID(), trace: untraced }, run);
}

/**
 * Reads the trace of a request from its headers `traceparent` and `tracestate`. Anybody can send these, so only valid
 * ids and members are accepted.
 */
export function extractTrace(headers: IncomingHttpHeaders): Context {
  return propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
}

/** Returns the id of a context's trace; undefined if it has none. */
export function traceIdOf(context: Context): string | undefined {
  const span = trace.getSpanContext(context);
  return span && isSpanContextValid(span) ? span.traceId : undefined;
}

/**
 * Starts a span: OpenTelemetry's no-op if there is no collector.
 * @returns the span, and the context in which it is the current one
 */
export function startSpan(name: string, options: SpanOptions, parent: Context): { span: Span; context: Context } {
  const span = trace.getTracer("storefront-fragments").startSpan(name, options, parent);
  const isTraced = span.spanContext().traceId !== INVALID_TRACEID;
  // Copying a context takes longer than all the rest of this function, which cached footers call, too.
  return { span, context: isTraced ? trace.setSpan(parent, span) : parent };
}

/** Marks a span as failed. */
export function failSpan(span: Span, errorType: string): void {
  span.setAttribute("error.type", errorType).setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs a part of the current request in a span of its own. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<Result>,
): Promise<Result> {
  const current = requestContext.getStore();
  const { span, context } = startSpan(name, options, current?.trace ?? untraced);
  try {
    return await (current ? requestContext.run({ ...current, trace: context }, () => run(span)) : run(span));
  } catch (error) {
    failSpan(span, nameOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The header that carries the request's id. */
export const requestIdHeader = "X-Request-Id";

/** Returns the headers that pass the current request's id and trace on to another service. */
export function callHeaders(): Record<string, string> {
  const current = requestContext.getStore();
  if (!current) return {};
  const headers: Record<string, string> = { [requestIdHeader.toLowerCase()]: current.requestId };
  propagator.inject(current.trace, headers, defaultTextMapSetter);
  return headers;
}
