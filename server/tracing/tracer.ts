import type { TraceContext } from "./trace-context.ts";

/** What a span says of its work: names of OpenTelemetry's conventions, and nothing of a visitor. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  name: string;
  /** Whether it is an answer, a call of another service, or work in between. */
  kind: "server" | "client" | "internal";
  attributes?: Attributes;
}

/** A piece of work whose time is recorded. */
export interface Span {
  context: TraceContext;
  rename(name: string): void;
  add(attributes: Attributes): void;
  /** Takes note that the work has failed. */
  fail(errorType: string): void;
  end(): void;
}

/** Records spans, and hands them over to whoever collects them. */
export interface Tracer {
  /** @param parent - what the span is a part of; undefined begins a trace */
  start(span: SpanStart, parent: TraceContext | undefined): Span;
  /** Hands over what is left. */
  close(): Promise<void>;
}
