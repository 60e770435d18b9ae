import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Readiness } from "./lifecycle.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of memory, garbage collection, the event loop and the like. */
let ofProcess: Registry | undefined;

/**
 * Observes the process. Called once, because nothing stops these observers: each wakes every 10 ms and at every garbage
 * collection.
 */
function observeProcess(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Creates the metrics of one process. Names are OpenTelemetry's where they exist, in Prometheus form
 * (https://opentelemetry.io/docs/specs/semconv/).
 * @param readiness - what `service_ready` shows
 */
export function createMetrics(readiness: Readiness = { state: "starting" }) {
  ofProcess ??= observeProcess();
  const registry = Registry.merge([ofProcess]);
  const registers = [registry];
  const counter = <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
    new Counter({ name, labelNames, help, registers });
  const gauge = <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
    new Gauge({ name, labelNames, help, registers });
  const storeUp = gauge("store_up", [], "1 while the database answers, 0 after 2 seconds without an answer");
  // Only present if the service has a database.
  storeUp.remove();
  return {
    registry,
    requests: new Histogram({
      name: "http_server_request_duration_seconds",
      help: "Time until the end of the response; status 499 if the client disconnected",
      labelNames: ["http_request_method", "http_route", "http_response_status_code"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    fragments: counter(
      "fragment_responses_total",
      ["fragment", "site", "state", "cache"],
      "Responses of fragments; state is fresh, stale or fallback",
    ),
    renders: new Histogram({
      name: "fragment_render_duration_seconds",
      help: "Time to render uncached fragments",
      labelNames: ["fragment"],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registers,
    }),
    shed: counter("requests_shed_total", ["class"], "Requests rejected with 503 in overload"),
    dropped: counter("connections_dropped_total", [], "Connections closed at once because 4,000 were open"),
    mails: counter(
      "mail_attempts_total",
      ["kind", "outcome"],
      "Attempts to send an email; outcome is sent, postponed (retried later), failed (given up) or bounced (no such mailbox)",
    ),
    mailLimits: counter(
      "mail_limits_total",
      ["limit", "outcome"],
      "Emails that hit a limit (network, mailbox, domain, site, all, suppressed); outcome is refused, postponed or dropped",
    ),
    events: counter(
      "newsletter_event_attempts_total",
      ["type", "outcome"],
      "Attempts to send a newsletter event to the webhook; outcome is sent or postponed (retried later)",
    ),
    reports: counter(
      "newsletter_reports_total",
      ["kind"],
      "Reported bounces and complaints; kind is hard, soft or complaint",
    ),
    vouchersLeft: gauge(
      "vouchers_left",
      ["site"],
      "Imported voucher codes that no subscriber has got; at 0, welcome emails wait",
    ),
    purges: counter(
      "purge_attempts_total",
      ["outcome"],
      "Attempts to purge a tag at the edge; outcome is sent or postponed (retried later)",
    ),
    purgeChecks: counter(
      "purge_checks_total",
      ["outcome"],
      "Checks by `PURGE_CHECK` whether shoppers get what is new after a purge; outcome is shown, kept (the purge changed nothing) or unanswered",
    ),
    queued: gauge("queue_entries", ["queue"], "Entries waiting in the queues mail, event and purge, of all replicas"),
    longestQueued: gauge(
      "queue_oldest_seconds",
      ["queue"],
      "Time that the oldest due entry of a queue has waited; 0 if none is due",
    ),
    signIns: counter(
      "sign_ins_total",
      ["kind", "outcome"],
      "Login attempts of customers and staff; outcome is success, unauthorized (wrong password, unknown address, locked account, or refused after the identity provider's answer), rateLimited or unavailable (too many at once)",
    ),
    backchannelLogouts: counter(
      "backchannel_logouts_total",
      ["outcome"],
      "Calls by which identity providers end sessions; outcome is ended, unknown (no such session), refused (such as a forged or used token), rateLimited or unavailable (the keys or the database)",
    ),
    securityEvents: counter(
      "security_events_total",
      ["event", "limit"],
      "Security events, one log line each; limit names the exceeded rate limit",
    ),
    upstreamCalls: new Histogram({
      name: "http_client_request_duration_seconds",
      help: "Time of calls to real services; outcome is answered, failed (status 500 or more), broken (invalid answer), unanswered or abandoned (the client disconnected)",
      labelNames: ["upstream", "outcome"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    upstreamsDown: gauge(
      "upstream_down",
      ["upstream"],
      "Groups of calls for which a real service counts as down and isn't called",
    ),
    storeUp,
    storeErrors: counter("store_errors_total", [], "Failed database statements, such as writes to a full disk"),
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
    housekeepings: counter(
      "housekeeping_runs_total",
      ["outcome"],
      "Runs of the housekeeping; outcome is done, failed or left out (the clock may be wrong)",
    ),
    ready: new Gauge({
      name: "service_ready",
      help: "1 while the service takes requests, 0 while it starts or shuts down",
      registers,
      collect() {
        this.set(readiness.state === "ready" ? 1 : 0);
      },
    }),
    build: gauge("build_info", ["version", "build", "node"], "1, with the running version, build and Node version"),
  };
}
