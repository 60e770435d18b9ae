import type { IncomingHttpHeaders } from "node:http";

/** A place in a trace, by https://www.w3.org/TR/trace-context/: that of a caller, or of a span. */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  /** A byte, whose lowest bit tells whether the trace is recorded. */
  flags: number;
  /** What other systems keep beside it, as the header `tracestate` has it. */
  state: string | undefined;
}

/** Ids that are all zeros name nothing, and there is no version ff. */
const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Longest `tracestate`, which is as long as the standard wants it to go on at least. */
const longestState = 512;
const mostMembers = 32;
const member = /^[a-z\d][a-z\d_*/@-]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/**
 * Reads where a request stands in a trace. Anybody can send these headers, so that nothing of them is believed but
 * proper ids and members: test/server/tracing/trace-context.test.ts
 * @returns undefined where the request is in none
 */
export function readTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId, spanId, flags, more] = pattern.exec(traceparent) ?? [];
  // Versions to come may have more behind the flags.
  if (!traceId || !spanId || !flags || (version === "00" && more !== undefined)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16), state: readState(tracestate) };
}

/** Writes the headers that lead a trace on. */
export function writeTraceContext({ traceId, spanId, flags, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
  return state ? { traceparent, tracestate: state } : { traceparent };
}

function readState(header: string | string[] | undefined): string | undefined {
  if (typeof header !== "string" || header.length > longestState) return undefined;
  const members = header
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  return members.length <= mostMembers && members.every((text) => member.test(text)) ? members.join(",") : undefined;
}
