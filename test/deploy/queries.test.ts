import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { RateLimitHit } from "../../server/features/newsletter/mail/mail-budgets.ts";
import type { DeliveryError } from "../../server/features/newsletter/mail/mail-transport.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { SecurityEvent } from "../../server/platform/security-events.ts";
import type { CachedBody } from "../../server/rendering/response-cache.ts";
import type { HousekeepingOutcome } from "../../server/store/housekeeping.ts";
import type { createQueueWorker } from "../../server/store/queue-worker.ts";
import type { CallOutcome } from "../../server/upstream/upstream.ts";

interface Query {
  title: string;
  expr: string;
  /** The text that shows the labels of its result. */
  legend: string;
}

const read = (file: string) => readFileSync(`deploy/${file}`, "utf8");
const { groups } = parse(read("prometheus/alerts.yml"));
const alerts: Query[] = groups.flatMap(({ rules }: { rules: AlertRule[] }) =>
  rules.map(({ alert, expr, annotations }) => ({ title: alert, expr, legend: annotations.summary })),
);
const panels: Query[] = JSON.parse(read("grafana/storefront.json")).panels.flatMap(({ title, targets = [] }: Panel) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legend: legendFormat })),
);

interface AlertRule {
  alert: string;
  expr: string;
  annotations: { summary: string };
}

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

/** Prometheus adds these labels to every metric, and this metric of its own. */
const scrapeLabels = ["job", "instance"];
const labelsOf = new Map<string, readonly string[]>([["up", scrapeLabels]]);
const metrics = createMetrics().registry.getMetricsAsArray();
for (const metric of metrics) {
  const own = "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
  const labels = [...scrapeLabels, ...own];
  if (String(metric.type) !== "histogram") labelsOf.set(metric.name, labels);
  else for (const part of ["sum", "count", "bucket"]) labelsOf.set(`${metric.name}_${part}`, [...labels, "le"]);
}

/** The values of labels that queries ask for. The compiler checks that the service has them. */
const values: Record<string, readonly string[]> = {
  "fragment_responses_total state": ["fresh"] satisfies CachedBody["state"][],
  "housekeeping_runs_total outcome": ["done"] satisfies HousekeepingOutcome[],
  "http_client_request_duration_seconds_count outcome": ["failed", "broken", "unanswered"] satisfies CallOutcome[],
  "http_server_request_duration_seconds_count http_response_status_code": ["5.."],
  "mail_attempts_total outcome": ["sent", "failed"] satisfies ("sent" | DeliveryError["outcome"])[],
  "mail_limits_total limit": ["site", "all"] satisfies RateLimitHit["limit"][],
  "queue_oldest_seconds queue": ["mail", "event", "purge"] satisfies Parameters<typeof createQueueWorker>[0]["name"][],
  "security_events_total event": [
    "authn_token_reuse",
    "authn_login_lock",
    "excess_rate_limit_exceeded",
  ] satisfies SecurityEvent["event"][],
};

const isVariable = (value: string) => ["storefront", "$instance", "$site", ""].includes(value);
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
const selectorsOf = ({ expr }: Query) =>
  [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, metric = "", matchers = ""]) => ({ metric, matchers }));

it.each([...alerts, ...panels])("$title asks for metrics, labels and values that exist", (query) => {
  const selectors = selectorsOf(query);
  expect(selectors).not.toEqual([]);
  for (const { metric, matchers } of selectors) {
    expect([...labelsOf.keys()]).toContain(metric);
    expect(matchers).toContain('job="storefront"');
    for (const [, label = "", value = ""] of matchers.matchAll(/(\w+)[=!]~?"([^"]*)"/g)) {
      expect(labelsOf.get(metric)).toContain(label);
      if (!isVariable(value)) expect(values[`${metric} ${label}`]).toEqual(expect.arrayContaining(value.split("|")));
    }
  }
  const known = selectors.flatMap(({ metric }) => labelsOf.get(metric) ?? []);
  const grouped = namesIn(query.expr, /\bby \(([^)]*)\)/g).flatMap((names) => names.split(/, ?/));
  const shown = namesIn(query.legend, /(?:\$labels\.|\{\{)(\w+)/g);
  const isAggregate = /\b(sum|max|min|avg|count|histogram_quantile)\b/.test(query.expr);
  expect(known).toEqual(expect.arrayContaining(grouped));
  // An aggregate has the labels by which it is grouped, and no other.
  expect(isAggregate ? grouped : known).toEqual(expect.arrayContaining(shown));
});

it("the dashboard shows every metric of the service", () => {
  const shown = panels.flatMap((query) => selectorsOf(query).map(({ metric }) => metric));
  const names = new Set(shown.map((name) => name.replace(/_(bucket|count|sum)$/, "")));
  for (const { name } of metrics) if (!/^(nodejs|process)_/.test(name)) expect(names).toContain(name);
});
