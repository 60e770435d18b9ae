/** Decodes what a collector receives by OTLP, as JSON or as protobuf. */

interface Point {
  attributes: Record<string, string>;
  /** Of sums and gauges. */
  value?: number;
  /** Of histograms. */
  sum?: number;
  count?: number;
  bounds?: number[];
  counts?: number[];
}

export interface DecodedMetric {
  name: string;
  kind: "gauge" | "sum" | "histogram";
  points: Point[];
}

/** Returns the metrics of a message, and the attributes of the service that sent them. */
export function decodeMetrics(body: Buffer, type = ""): { resource: Record<string, string>; metrics: DecodedMetric[] } {
  if (type.includes("json")) return metricsOfJson(JSON.parse(String(body)));
  const [ofResource] = read(body).messages(1);
  if (!ofResource) throw new Error("the message has no metrics");
  return {
    resource: attributesOf(ofResource.messages(1)[0]?.messages(1) ?? []),
    metrics: ofResource.messages(2).flatMap((scope) => scope.messages(2).map(metricOf)),
  };
}

/** Returns the names of the spans in a protobuf message. */
export function decodeSpanNames(body: Buffer): string[] {
  const scopes = read(body)
    .messages(1)
    .flatMap((ofResource) => ofResource.messages(2));
  return scopes.flatMap((scope) => scope.messages(2).map((span) => span.text(5)));
}

/** Returns each sample as a line of Prometheus' format. */
export function linesOf(metrics: readonly DecodedMetric[]): string[] {
  return metrics.flatMap(({ name, points }) =>
    points.flatMap(({ attributes, value, sum, count, bounds = [], counts = [] }) => {
      if (value !== undefined) return [line(name, attributes, value)];
      const bucket = (le: string | number, place: number) => {
        const upTo = counts.slice(0, place + 1).reduce((total, each) => total + each, 0);
        return line(`${name}_bucket`, { le: String(le), ...attributes }, upTo);
      };
      const ends = [line(`${name}_sum`, attributes, sum), line(`${name}_count`, attributes, count)];
      return [...[...bounds, "+Inf"].map(bucket), ...ends];
    }),
  );
}

function line(name: string, attributes: Record<string, string>, value = Number.NaN): string {
  const labels = Object.entries(attributes).map(([label, text]) => `${label}="${text}"`);
  return `${name}${labels.length > 0 ? `{${labels.join(",")}}` : ""} ${value}`;
}

/** The fields of a protobuf message by number (https://protobuf.dev/programming-guides/encoding/). */
interface Message {
  contents(field: number): Buffer[];
  messages(field: number): Message[];
  text(field: number): string;
  double(field: number): number | undefined;
}

/** The sizes of the wire types for fixed numbers. */
const fixedSizes = new Map([
  [1, 8],
  [5, 4],
]);

function read(bytes: Buffer): Message {
  const fields: { field: number; content: Buffer }[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const kind = tag & 7;
    // A varint has no fixed size, and neither has what names its length.
    const size = kind === 2 ? varint() : fixedSizes.get(kind);
    const start = at;
    if (size === undefined) varint();
    else at += size;
    fields.push({ field: tag >> 3, content: bytes.subarray(start, at) });
  }
  const contents = (number: number) => fields.filter(({ field }) => field === number).map(({ content }) => content);
  return {
    contents,
    messages: (number) => contents(number).map(read),
    text: (number) => String(contents(number)[0] ?? ""),
    double: (number) => contents(number)[0]?.readDoubleLE(),
  };
}

const eights = (content: Buffer) =>
  Array.from({ length: content.length / 8 }, (_, place) => content.subarray(8 * place, 8 * place + 8));

/** The numbers are those of the fields of OpenTelemetry's messages: opentelemetry/proto/metrics/v1/metrics.proto */
function metricOf(metric: Message): DecodedMetric {
  const [gauge, sum, histogram] = [5, 7, 9].map((number) => metric.messages(number)[0]);
  const name = metric.text(1);
  if (histogram) return { name, kind: "histogram", points: histogram.messages(1).map(histogramPointOf) };
  const points = (gauge ?? sum)?.messages(1).map((point) => {
    const value = point.double(4);
    return { attributes: attributesOf(point.messages(7)), ...(value !== undefined && { value }) };
  });
  return { name, kind: gauge ? "gauge" : "sum", points: points ?? [] };
}

function histogramPointOf(point: Message): Point {
  return {
    attributes: attributesOf(point.messages(9)),
    count: Number(point.contents(4)[0]?.readBigUInt64LE()),
    sum: point.double(5) ?? Number.NaN,
    counts: point
      .contents(6)
      .flatMap(eights)
      .map((each) => Number(each.readBigUInt64LE())),
    bounds: point
      .contents(7)
      .flatMap(eights)
      .map((each) => each.readDoubleLE()),
  };
}

function attributesOf(attributes: readonly Message[]): Record<string, string> {
  return Object.fromEntries(attributes.map((each) => [each.text(1), each.messages(2)[0]?.text(1) ?? ""]));
}

interface JsonAttribute {
  key: string;
  value: { stringValue?: string };
}

interface JsonPoint {
  attributes: JsonAttribute[];
  asDouble?: number;
  sum?: number;
  count?: number | string;
  explicitBounds?: number[];
  bucketCounts?: (number | string)[];
}

type JsonMetric = { name: string } & { [Kind in DecodedMetric["kind"]]?: { dataPoints: JsonPoint[] } };

interface JsonMessage {
  resourceMetrics: [{ resource: { attributes: JsonAttribute[] }; scopeMetrics: { metrics: JsonMetric[] }[] }];
}

function metricsOfJson({ resourceMetrics: [{ resource, scopeMetrics }] }: JsonMessage) {
  const byKey = (attributes: JsonAttribute[]) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? ""]));
  const metrics = scopeMetrics.flatMap((scope) =>
    scope.metrics.map((metric): DecodedMetric => {
      const kind = (["gauge", "sum", "histogram"] as const).find((each) => metric[each]) ?? "gauge";
      const points = (metric[kind]?.dataPoints ?? []).map((point): Point => {
        const attributes = byKey(point.attributes);
        if (kind !== "histogram") return { attributes, value: point.asDouble ?? Number.NaN };
        const counts = point.bucketCounts?.map(Number) ?? [];
        return {
          attributes,
          sum: point.sum ?? Number.NaN,
          count: Number(point.count),
          bounds: point.explicitBounds ?? [],
          counts,
        };
      });
      return { name: metric.name, kind, points };
    }),
  );
  return { resource: byKey(resource.attributes), metrics };
}
