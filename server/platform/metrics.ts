import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of one process. Names are OpenTelemetry's where it has one, written as Prometheus does
 * (https://opentelemetry.io/docs/specs/semconv/).
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const storeUp = new Gauge({
    name: "store_up",
    help: "1 while the database answers, 0 after 2 seconds without an answer; only with a database",
    registers,
  });
  // Only present when the service has a database.
  storeUp.remove();
  return {
    registry,
    requests: new Histogram({
      name: "http_server_request_duration_seconds",
      help: "Time of requests until the end of the response; status 499 counts those whose client disconnected",
      labelNames: ["http_request_method", "http_route", "http_response_status_code"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    fragments: new Counter({
      name: "fragment_responses_total",
      help: "Responses of fragments; state is fresh, stale or fallback",
      labelNames: ["fragment", "site", "state", "cache"],
      registers,
    }),
    renders: new Histogram({
      name: "fragment_render_duration_seconds",
      help: "Time to render fragments that no cache had",
      labelNames: ["fragment"],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registers,
    }),
    shed: new Counter({
      name: "requests_shed_total",
      help: "Requests rejected with 503 in overload",
      labelNames: ["class"],
      registers,
    }),
    dropped: new Counter({
      name: "connections_dropped_total",
      help: "Connections closed at once because 4,000 were open",
      registers,
    }),
    mails: new Counter({
      name: "mail_attempts_total",
      help: "Attempts to send a mail; outcome is sent, postponed (retried later), failed (given up) or bounced (no such mailbox)",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    mailLimits: new Counter({
      name: "mail_limits_total",
      help: "Mails that hit a limit (network, mailbox, site, all, suppressed); outcome is refused, postponed or dropped",
      labelNames: ["limit", "outcome"],
      registers,
    }),
    events: new Counter({
      name: "newsletter_event_attempts_total",
      help: "Attempts to send a newsletter event to the webhook; outcome is sent or postponed (retried later)",
      labelNames: ["type", "outcome"],
      registers,
    }),
    purges: new Counter({
      name: "purge_attempts_total",
      help: "Attempts to purge a country at the edge; outcome is sent or postponed (retried later)",
      labelNames: ["outcome"],
      registers,
    }),
    queued: new Gauge({
      name: "queue_entries",
      help: "Entries waiting in the queues mail, event and purge, of all replicas",
      labelNames: ["queue"],
      registers,
    }),
    longestQueued: new Gauge({
      name: "queue_oldest_seconds",
      help: "Time that the longest due entry of a queue has waited; 0 when none is due, as for a mail that waits for a limit",
      labelNames: ["queue"],
      registers,
    }),
    signIns: new Counter({
      name: "sign_ins_total",
      help: "Login attempts of customers and staff; outcome is success, unauthorized (wrong password, unknown address or locked account) or rateLimited",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    securityEvents: new Counter({
      name: "security_events_total",
      help: "Security events, each of which is a log line; limit names the rate limit that was exceeded",
      labelNames: ["event", "limit"],
      registers,
    }),
    upstreamCalls: new Histogram({
      name: "http_client_request_duration_seconds",
      help: "Time of calls to real services; outcome is answered, failed (status 500 or more), broken (invalid answer), unanswered or abandoned (the client disconnected)",
      labelNames: ["upstream", "outcome"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    upstreamsDown: new Gauge({
      name: "upstream_down",
      help: "Groups of calls for which a real service counts as down and isn't called",
      labelNames: ["upstream"],
      registers,
    }),
    storeUp,
    storeErrors: new Counter({
      name: "store_errors_total",
      help: "Failed database statements, such as writes to a full disk",
      registers,
    }),
    statements: new Histogram({
      name: "db_client_operation_duration_seconds",
      help: "Time of database statements, failed ones included; in SQLite, COMMIT includes the wait for the disk",
      labelNames: ["db_operation_name"],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
      registers,
    }),
    storeWaits: new Histogram({
      name: "db_client_connection_wait_time_seconds",
      help: "Waits for a connection of PostgreSQL's pool, or for SQLite's only writer",
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
      registers,
    }),
    housekeepings: new Counter({
      name: "housekeeping_runs_total",
      help: "Runs of the housekeeping; outcome is done, failed or left out (the clock may be wrong)",
      labelNames: ["outcome"],
      registers,
    }),
    ready: new Gauge({
      name: "service_ready",
      help: "1 while the service takes requests, 0 while it starts or shuts down",
      registers,
    }),
    build: new Gauge({
      name: "build_info",
      help: "1, with the version, the build and the Node version that run",
      labelNames: ["version", "build", "node"],
      registers,
    }),
  };
}
