import type { EnvVariables } from "../../schemas/types.ts";

export type Tracing = NonNullable<ReturnType<typeof tracingOf>>;
export type MetricsExport = NonNullable<ReturnType<typeof metricsExportOf>>;

/**
 * Returns how traces are sent to a collector; undefined sends none. OpenTelemetry's exporters read endpoint, headers
 * and time limit of a request themselves.
 */
export function tracingOf(env: EnvVariables) {
  const collector = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!collector || env.OTEL_TRACES_EXPORTER === "none" || env.OTEL_SDK_DISABLED === "true") return undefined;
  return {
    protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: env.OTEL_TRACES_SAMPLER,
    /** The fraction of traces that samplers with a ratio record. */
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** Returns how metrics are sent to a collector; undefined sends none. */
export function metricsExportOf(env: EnvVariables) {
  const collector = env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!collector || env.OTEL_METRICS_EXPORTER !== "otlp" || env.OTEL_SDK_DISABLED === "true") return undefined;
  return {
    protocol: env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
    /** Milliseconds from one export to the next. */
    interval: env.OTEL_METRIC_EXPORT_INTERVAL,
    /** Milliseconds until an export is given up. OpenTelemetry's reader refuses one that is longer than the interval. */
    timeout: Math.min(env.OTEL_METRIC_EXPORT_TIMEOUT, env.OTEL_METRIC_EXPORT_INTERVAL),
  };
}
