import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  registry: Registry;
  /** Seconds that answers took, by method, route template and status. */
  requests: Histogram<"http_request_method" | "http_route" | "http_response_status_code">;
  /** Number of answers of fragments, by how they came about. */
  fragments: Counter<"fragment" | "site" | "state" | "cache">;
  /** Seconds that renders of fragments took. */
  renders: Histogram<"fragment">;
  /** Number of requests that were shed, by their class. */
  shed: Counter<"class">;
  /** Number of connections that were closed at once, as there were too many. */
  dropped: Counter;
  /** Number of attempts to send mail, by how they ended: sent, postponed, failed or bounced. */
  mails: Counter<"kind" | "outcome">;
  /** Number of mails asked for that a limit met, by what it did: refused the call, postponed or dropped the mail. */
  mailLimits: Counter<"limit" | "outcome">;
  /** Number of attempts to send an event of the newsletter, by how they ended: sent or postponed. */
  events: Counter<"type" | "outcome">;
  /** Number of attempts to let the edge forget a key, by how they ended: sent or postponed. */
  purges: Counter<"outcome">;
  /** Number of entries that wait in a queue of all replicas. */
  queued: Gauge<"queue">;
  /** Seconds for which the longest due of them waits. */
  longestQueued: Gauge<"queue">;
  /** Number of sign-ins, by whose they were and how they ended: success, unauthorized or rateLimited. */
  signIns: Counter<"kind" | "outcome">;
  /** Number of security events, by their name and that of the limit which was met. */
  securityEvents: Counter<"event" | "limit">;
  /** Seconds that calls of real services took, by how they ended. */
  upstreamCalls: Histogram<"upstream" | "outcome">;
  /** Number of groups of calls for which a real service counts as down. */
  upstreamsDown: Gauge<"upstream">;
  /** Whether the store answers: 1 or 0. */
  storeUp: Gauge;
  /** Number of statements that the store didn't carry out. */
  storeErrors: Counter;
  /** Seconds that statements took, by the word they begin with. */
  statements: Histogram<"db_operation_name">;
  /** Seconds until a statement could begin: until there was a connection, or the turn to write. */
  storeWaits: Histogram;
  /** Number of runs of the housekeeping, by how they ended: done, failed or left out. */
  housekeepings: Counter<"outcome">;
  /** Whether the process takes requests: 1 or 0. */
  ready: Gauge;
  /** 1, with what runs. */
  build: Gauge<"version" | "build" | "node">;
}

/**
 * Creates the metrics of one process. What OpenTelemetry has a name for has that one, in the form of Prometheus
 * (https://opentelemetry.io/docs/specs/semconv/).
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const storeUp = new Gauge({ name: "store_up", help: "Whether the store answers: 1 or 0", registers });
  // It is there where a store is.
  storeUp.remove();
  return {
    registry,
    requests: new Histogram({
      name: "http_server_request_duration_seconds",
      help: "Time from request to the end of its answer",
      labelNames: ["http_request_method", "http_route", "http_response_status_code"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    fragments: new Counter({
      name: "fragment_responses_total",
      help: "Answers of fragments; state tells fresh, stale and fallback apart",
      labelNames: ["fragment", "site", "state", "cache"],
      registers,
    }),
    renders: new Histogram({
      name: "fragment_render_duration_seconds",
      help: "Time to render a fragment that no cache held",
      labelNames: ["fragment"],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registers,
    }),
    shed: new Counter({
      name: "requests_shed_total",
      help: "Requests answered with 503, as more was asked than the service can do",
      labelNames: ["class"],
      registers,
    }),
    dropped: new Counter({
      name: "connections_dropped_total",
      help: "Connections closed at once, as there were too many",
      registers,
    }),
    mails: new Counter({
      name: "mail_attempts_total",
      help: "Attempts to send mail; a postponed one is tried again, a failed or bounced one is not",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    mailLimits: new Counter({
      name: "mail_limits_total",
      help: "Mails asked for that a limit met: the call was refused, or taken and the mail postponed or dropped",
      labelNames: ["limit", "outcome"],
      registers,
    }),
    events: new Counter({
      name: "newsletter_event_attempts_total",
      help: "Attempts to send an event to the newsletter's receiver; a postponed one is tried again",
      labelNames: ["type", "outcome"],
      registers,
    }),
    purges: new Counter({
      name: "purge_attempts_total",
      help: "Attempts to let the edge forget a key of Surrogate-Key; a postponed one is tried again",
      labelNames: ["outcome"],
      registers,
    }),
    queued: new Gauge({
      name: "queue_entries",
      help: "Mails, events and purges that wait for being sent, of all replicas",
      labelNames: ["queue"],
      registers,
    }),
    longestQueued: new Gauge({
      name: "queue_oldest_seconds",
      help: "Time for which the longest due of them waits; 0 when none is due",
      labelNames: ["queue"],
      registers,
    }),
    signIns: new Counter({
      name: "sign_ins_total",
      help: "Sign-ins of customers and staff, by how they ended",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    securityEvents: new Counter({
      name: "security_events_total",
      help: "Security events, each of which is a line of the log",
      labelNames: ["event", "limit"],
      registers,
    }),
    upstreamCalls: new Histogram({
      name: "http_client_request_duration_seconds",
      help: "Time of calls of real services; answered, failed, broken, unanswered or abandoned",
      labelNames: ["upstream", "outcome"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    upstreamsDown: new Gauge({
      name: "upstream_down",
      help: "Groups of calls for which a real service counts as down, and isn't asked",
      labelNames: ["upstream"],
      registers,
    }),
    storeUp,
    storeErrors: new Counter({
      name: "store_errors_total",
      help: "Statements that the store didn't carry out",
      registers,
    }),
    statements: new Histogram({
      name: "db_client_operation_duration_seconds",
      help: "Time of statements of the store, failed ones included",
      labelNames: ["db_operation_name"],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
      registers,
    }),
    storeWaits: new Histogram({
      name: "db_client_connection_wait_time_seconds",
      help: "Time until PostgreSQL's pool had a connection, or until it was a change's turn in SQLite",
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
      registers,
    }),
    housekeepings: new Counter({
      name: "housekeeping_runs_total",
      help: "Runs of the housekeeping; one is left out when the clock may be wrong",
      labelNames: ["outcome"],
      registers,
    }),
    ready: new Gauge({ name: "service_ready", help: "Whether the service takes requests: 1 or 0", registers }),
    build: new Gauge({
      name: "build_info",
      help: "1, with the version, the build and the Node that run",
      labelNames: ["version", "build", "node"],
      registers,
    }),
  };
}
