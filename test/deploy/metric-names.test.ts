import { expect, it } from "vitest";
import type { RenderedFragment } from "../../server/fragments/fragment-renderer.ts";
import { createMetrics } from "../../server/metrics.ts";
import type { SecurityEvent } from "../../server/security-events.ts";
import type { HousekeepingOutcome } from "../../server/shop/housekeeping.ts";
import type { MailOutcome } from "../../server/shop/mail/deliver-mails.ts";
import type { MetLimit } from "../../server/shop/mail/met-limit.ts";
import type { QueueName } from "../../server/shop/queue/queue-worker.ts";
import type { CallOutcome } from "../../server/upstreams/upstream.ts";
import { parseQuery, readAlertQueries, readPanelQueries } from "./read-queries.ts";

/** What Prometheus adds to all that it scrapes, and what it tells of it. */
const scraped = { labels: ["job", "instance"], metric: "up" };

const metrics = createMetrics().registry.getMetricsAsArray();
const queries = [...readAlertQueries(), ...readPanelQueries()];

/** The labels of every metric, by the names that Prometheus knows. */
const labelsOf = new Map<string, readonly string[]>([[scraped.metric, scraped.labels]]);
for (const metric of metrics) {
  const own = "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
  const labels = [...scraped.labels, ...own];
  if (String(metric.type) !== "histogram") labelsOf.set(metric.name, labels);
  else for (const part of ["sum", "count", "bucket"]) labelsOf.set(`${metric.name}_${part}`, [...labels, "le"]);
}

/** The values of labels that queries ask for. The compiler knows whether the service has them. */
const values: Record<string, readonly string[]> = {
  "fragment_responses_total state": ["fresh"] satisfies RenderedFragment["state"][],
  "housekeeping_runs_total outcome": ["done"] satisfies HousekeepingOutcome[],
  "http_client_request_duration_seconds_count outcome": ["failed", "broken", "unanswered"] satisfies CallOutcome[],
  "http_server_request_duration_seconds_count http_response_status_code": ["5.."],
  "mail_attempts_total outcome": ["sent", "failed"] satisfies MailOutcome[],
  "mail_limits_total limit": ["site", "all"] satisfies MetLimit["limit"][],
  "queue_oldest_seconds queue": ["mail", "event", "purge"] satisfies QueueName[],
  "security_events_total event": [
    "authn_token_reuse",
    "authn_login_lock",
    "excess_rate_limit_exceeded",
  ] satisfies SecurityEvent["event"][],
};

const isVariable = (value: string) => ["storefront", "$instance", "$site", ""].includes(value);

it.each(queries)("$title: the metrics, labels and values are there", (query) => {
  const { selectors, isAggregate, grouped } = parseQuery(query);
  for (const { metric, matchers } of selectors) {
    expect([...labelsOf.keys()]).toContain(metric);
    expect(labelsOf.get(metric)).toEqual(expect.arrayContaining(matchers.map(({ label }) => label)));
    expect(matchers).toContainEqual({ label: "job", operator: "=", value: "storefront" });
    for (const { label, value } of matchers.filter((matcher) => !isVariable(matcher.value)))
      expect(values[`${metric} ${label}`]).toEqual(expect.arrayContaining(value.split("|")));
  }
  const known = selectors.flatMap(({ metric }) => labelsOf.get(metric) ?? []);
  expect(known).toEqual(expect.arrayContaining(grouped));
  // What is grouped has the labels that it is grouped by, and no other.
  expect(isAggregate ? grouped : known).toEqual(expect.arrayContaining(query.shown));
});

it("every metric of the service is on the dashboard", () => {
  const shown = readPanelQueries().flatMap((query) => parseQuery(query).selectors.map(({ metric }) => metric));
  const names = new Set(shown.map((name) => name.replace(/_(bucket|count|sum)$/, "")));
  for (const { name } of metrics) if (!/^(nodejs|process)_/.test(name)) expect(names).toContain(name);
});
