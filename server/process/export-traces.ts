import { AsyncLocalStorage } from "node:async_hooks";
import { trace } from "@opentelemetry/api";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
  type Resource as TraceResource,
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
import type { Tracing } from "../config/env.ts";
import { createHealthLog } from "../platform/health-log.ts";
import type { Resource } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";

/**
 * Starts sending spans to a collector. OpenTelemetry's packages read the collector's URL and the service's attributes
 * from the environment themselves.
 * @param build - the service's version
 */
export function exportTraces(tracing: Tracing, build: string, logger: Logger): Resource {
  const exporter = tracing.protocol === "http/json" ? new JsonExporter() : new ProtobufExporter();
  const provider = new TracerProvider({
    resource: describeService(build),
    sampler: createSampler(tracing),
    spanProcessors: [new BatchSpanProcessor({ exporter: logHealth(exporter, logger) })],
  });
  trace.setGlobalTracerProvider(provider);
  return {
    // Spans that the collector no longer accepts are lost.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function describeService(build: string): TraceResource {
  const own = resourceFromAttributes({ "service.name": "storefront-fragments", "service.version": build });
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

/** Logs when the collector goes down and when it is back. */
function logHealth(exporter: SpanExporter, logger: Logger): SpanExporter {
  const health = createHealthLog(logger, {
    down: "trace export failed, spans are lost",
    up: "trace export recovered",
  });
  // Exports run in the background, so an export error belongs to no request.
  const note = AsyncLocalStorage.bind(({ code, error }: ExportResult) => {
    if (code === ExportResultCode.SUCCESS) health.up();
    else health.down({ reason: reasonFor(error) });
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

/** Returns the reason why an export failed, without the collector's answer. */
function reasonFor(error: Error | undefined): string {
  const code = error && "code" in error ? error.code : undefined;
  if (typeof code === "number") return `status ${code}`;
  return typeof code === "string" ? `no answer (${code})` : (error?.message ?? "no reason given");
}
