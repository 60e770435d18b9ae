import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import { millisToHrTime } from "@opentelemetry/core";
import { OTLPMetricExporter as JsonExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtobufExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from "@opentelemetry/sdk-metrics";
import type { Registry } from "prom-client";
import type { MetricsExport } from "../config/telemetry.ts";
import type { Resource } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import { describeService, logExports } from "./collector.ts";

type RegistryMetric = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>[number];
type RegistryValue = RegistryMetric["values"][number];

/**
 * Starts sending the metrics of `/metrics` to a collector at intervals, and when it is closed. OpenTelemetry's packages
 * read the collector's URL and the service's attributes from the environment themselves.
 * @param build - the service's version
 */
export function exportMetrics(
  { protocol, interval, timeout }: MetricsExport,
  registry: Registry,
  build: string,
  logger: Logger,
): Resource {
  const exporter = protocol === "http/json" ? new JsonExporter() : new ProtobufExporter();
  const resource = describeService(build);
  const producer: MetricProducer = {
    async collect() {
      const metrics = await readRegistry(registry);
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: "prom-client" }, metrics }] }, errors: [] };
    },
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: logHealth(exporter, logger),
    exportIntervalMillis: interval,
    exportTimeoutMillis: timeout,
    metricProducers: [producer],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return {
    // What the collector no longer accepts is lost.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Logs failed exports of an exporter. */
function logHealth(exporter: PushMetricExporter, logger: Logger): PushMetricExporter {
  const note = logExports(logger, { down: "metrics export failed", up: "metrics export recovered" });
  return {
    export(metrics, done) {
      exporter.export(metrics, (result) => {
        note(result);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/**
 * Reads a registry as OpenTelemetry's data, under the names of its metrics. Units stay empty: collectors would add them
 * to names that have them. Labels become attributes, and all counts are cumulative since the start of the process.
 */
async function readRegistry(registry: Registry): Promise<MetricData[]> {
  const [start, now] = [millisToHrTime(performance.timeOrigin), millisToHrTime(Date.now())];
  return (await registry.getMetricsAsJSON()).map((metric) => convert(metric, start, now));
}

function convert({ name, help, type, values }: RegistryMetric, startTime: HrTime, endTime: HrTime): MetricData {
  const base = {
    descriptor: { name, description: help, unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // The types of prom-client say that this is a number.
  if (String(type) === "histogram") {
    const series = [...Map.groupBy(values, ({ labels }) => JSON.stringify({ ...labels, le: undefined })).values()];
    const dataPoints = series.map((ofSeries) => toHistogram(ofSeries, startTime, endTime));
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = values
    // A gauge that hasn't measured anything is NaN, which JSON can't express.
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ attributes: attributesOf(labels), startTime, endTime, value }));
  return String(type) === "counter"
    ? { ...base, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** @param values - sum, count and cumulative buckets, in their order, of one series */
function toHistogram(values: readonly RegistryValue[], startTime: HrTime, endTime: HrTime): DataPoint<Histogram> {
  const buckets = values.filter(({ labels }) => labels.le !== undefined);
  const part = (suffix: string) =>
    values.find((value) => "metricName" in value && String(value.metricName).endsWith(suffix))?.value ?? 0;
  return {
    attributes: attributesOf(values[0]?.labels ?? {}),
    startTime,
    endTime,
    value: {
      buckets: {
        boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
        counts: buckets.map(({ value }, place) => value - (buckets[place - 1]?.value ?? 0)),
      },
      sum: part("_sum"),
      count: part("_count"),
    },
  };
}

function attributesOf({ le: _bucket, ...labels }: RegistryValue["labels"]): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
