import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
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
import type { Tracing } from "../config/telemetry.ts";
import type { Resource } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import { describeService, logExports } from "./collector.ts";

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

/** Logs failed exports of an exporter. */
function logHealth(exporter: SpanExporter, logger: Logger): SpanExporter {
  const note = logExports(logger, { down: "trace export failed, spans are lost", up: "trace export recovered" });
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
