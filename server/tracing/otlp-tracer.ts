import { AsyncLocalStorage } from "node:async_hooks";
import { createTraceState, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Tracing } from "../env.ts";
import type { Logger } from "../logger.ts";
import { createOutage } from "../outage.ts";
import type { TraceContext } from "./trace-context.ts";
import type { SpanStart, Tracer } from "./tracer.ts";

const name = "storefront-fragments";
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Creates what sends spans to a collector, by OpenTelemetry's own packages. These read from the environment where the
 * collector is, and what of the service a span names.
 * @param build - counts as the service's version
 */
export function createOtlpTracer(tracing: Tracing, build: string, logger: Logger): Tracer {
  const exporter = tracing.protocol === "http/json" ? new JsonExporter() : new ProtobufExporter();
  const provider = new TracerProvider({
    resource: createResource(build),
    sampler: createSampler(tracing),
    spanProcessors: [new BatchSpanProcessor({ exporter: tellOutages(exporter, logger) })],
  });
  const tracer = provider.getTracer(name, build);
  return {
    start({ name, kind, attributes = {} }, parent) {
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, toSpanContext(parent, kind)) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
      return {
        context: toTraceContext(span.spanContext()),
        rename: (name) => void span.updateName(name),
        add: (attributes) => void span.setAttributes(attributes),
        fail: (type) => void span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR }),
        end: () => span.end(),
      };
    },
    async close() {
      // What the collector doesn't take any more is lost.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

function createResource(build: string): Resource {
  const own = resourceFromAttributes({ "service.name": name, "service.version": build });
  const given = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(own).merge(given);
}

function createSampler({ sampler, ratio }: Tracing): Sampler {
  const [on, off, part] = [new AlwaysOnSampler(), new AlwaysOffSampler(), new TraceIdRatioBasedSampler(ratio)];
  const samplers: Record<Tracing["sampler"], Sampler> = {
    always_on: on,
    always_off: off,
    traceidratio: part,
    parentbased_always_on: new ParentBasedSampler({ root: on }),
    parentbased_always_off: new ParentBasedSampler({ root: off }),
    parentbased_traceidratio: new ParentBasedSampler({ root: part }),
  };
  return samplers[sampler];
}

/** Lets the log tell when the collector takes no spans. */
function tellOutages(exporter: SpanExporter, logger: Logger): SpanExporter {
  const outage = createOutage(logger, {
    away: "the collector of traces takes no spans; they are lost",
    back: "the collector of traces takes spans again",
  });
  // Spans are sent in the course of whichever request has ended one, and the outage is none's.
  const note = AsyncLocalStorage.bind(({ code, error }: ExportResult) => {
    if (code === ExportResultCode.SUCCESS) outage.answered();
    else outage.failed({ reason: reasonFor(error) });
  });
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        note(result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Says why no spans were taken, without what the collector answers. */
function reasonFor(error: Error | undefined): string {
  const code = error && "code" in error ? error.code : undefined;
  if (typeof code === "number") return `status ${code}`;
  return typeof code === "string" ? `no answer (${code})` : (error?.message ?? "no reason given");
}

/** Gives the parent of a span. That of an answer is somebody else's. */
function toSpanContext({ flags, state, ...ids }: TraceContext, kind: SpanStart["kind"]): SpanContext {
  const traceState = state ? createTraceState(state) : undefined;
  return { ...ids, traceFlags: flags, isRemote: kind === "server", ...(traceState && { traceState }) };
}

function toTraceContext({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  return { traceId, spanId, flags: traceFlags, state: traceState?.serialize() };
}
