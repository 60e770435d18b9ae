import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { PurgeCheckOutcome } from "../../server/features/edge-purges/check-purges.ts";
import type { RateLimitHit } from "../../server/features/newsletter/mail/mail-budgets.ts";
import type { DeliveryError } from "../../server/features/newsletter/mail/mail-transport.ts";
import type { Handling } from "../../server/http/load-shedding.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { ReportEvent } from "../../server/platform/security-events.ts";
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
const groups: { rules: Rule[] }[] = ["alerts", "objectives"].flatMap(
  (file) => parse(read(`prometheus/${file}.yml`)).groups,
);
const rules = groups.flatMap((group) => group.rules);
const alerts: Query[] = rules.map(({ alert, record, expr, annotations }) => {
  return { title: alert ?? record ?? "", expr, legend: annotations?.summary ?? "" };
});
const recorded = rules.flatMap(({ record }) => record ?? []);
const panels: Query[] = JSON.parse(read("grafana/storefront.json")).panels.flatMap(({ title, targets = [] }: Panel) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legend: legendFormat })),
);

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  annotations?: { summary: string };
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
  "fragment_responses_total state": ["fresh", "fallback"] satisfies CachedBody["state"][],
  "housekeeping_runs_total outcome": ["done"] satisfies HousekeepingOutcome[],
  "http_client_request_duration_seconds_count outcome": ["failed", "broken", "unanswered"] satisfies CallOutcome[],
  "http_server_request_duration_seconds_count http_response_status_code": ["4..", "5.."],
  "http_server_request_duration_seconds_count http_request_method": ["POST"],
  "http_server_request_duration_seconds_count http_route": [
    "/fragments/.*",
    "/newsletter",
    "/service/newsletter/api/[a-z]+/newsletter-subscribers",
    "/service/newsletter/[*]",
  ],
  "mail_attempts_total outcome": ["sent", "failed"] satisfies ("sent" | DeliveryError["outcome"])[],
  "mail_limits_total limit": ["site", "all"] satisfies RateLimitHit["limit"][],
  "purge_checks_total outcome": ["kept"] satisfies PurgeCheckOutcome[],
  "queue_oldest_seconds queue": ["mail", "event", "purge"] satisfies Parameters<typeof createQueueWorker>[0]["name"][],
  "requests_shed_total class": ["cached"] satisfies Handling["load"][],
  "security_events_total event": [
    "authn_token_reuse",
    "authn_login_lock",
    "excess_rate_limit_exceeded",
  ] satisfies Parameters<ReportEvent>[0]["event"][],
};

const isVariable = (value: string) => ["storefront", "$instance", "$site", ""].includes(value);
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
const selectorsOf = ({ expr }: Query) =>
  [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, metric = "", matchers = ""]) => ({ metric, matchers }));

it.each([...alerts, ...panels])("$title asks for metrics, labels and values that exist", (query) => {
  const selectors = selectorsOf(query);
  const ofRules = query.expr.match(/\bstorefront:[\w:]+/g) ?? [];
  expect(recorded).toEqual(expect.arrayContaining(ofRules));
  expect([...selectors, ...ofRules]).not.toEqual([]);
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
