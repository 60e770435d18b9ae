import { setTimeout as pause } from "node:timers/promises";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { HealthLog } from "../platform/health-log.ts";
import type { Metrics } from "../platform/metrics.ts";

/**
 * The errors by which PostgreSQL reports that it is shutting down or starting:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html. After a crash it reports nothing.
 */
const restarting = ["57P01", "57P03"];
const unreachable = ["ECONNREFUSED", "ECONNRESET", "EPIPE"];

/**
 * Failures before this time are retried. It is shorter than the detection of a database that doesn't answer, for which
 * a retry would be useless.
 */
const retriedWithin: Milliseconds = 1.5 * second;
/** The pause between two attempts, in which a pool notices which of its other connections are lost. */
const retryPause: Milliseconds = 100;

/**
 * Repeats work while it fails with a transient error.
 * @param within - failures later than this after the first attempt aren't retried
 * @throws the error of the last attempt
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  isTransient: (error: unknown) => boolean,
  within = retriedWithin,
): Promise<Result> {
  for (const start = performance.now(); ; await pause(retryPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() - start > within) throw error;
    }
  }
}

/** Whether there is no connection to the database, or no longer, as during a restart. */
export function isConnectionLost(error: unknown): boolean {
  return unreachable.includes(codeOf(error)) || /^Error: Connection terminated/.test(String(error)) || isRefused(error);
}

/** Whether PostgreSQL certainly hasn't run a statement. */
function isRefused(error: unknown): boolean {
  return restarting.includes(codeOf(error)) || / not queryable$/.test(String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Wraps a pool so that visitors don't notice a restart of PostgreSQL: a request waits for a new connection, and a lost
 * statement is retried. `inTransaction` retries whole transactions.
 * @param longestWait - how long a request waits for a connection that PostgreSQL refuses
 * @param waits - measures how long each request waited for a connection, whether or not it got one
 * @param health - records requests that got none; Kysely reports failed statements
 */
export function createRetryingPool(
  pool: PostgresPool,
  longestWait: Milliseconds,
  waits: Metrics["storeWaits"] | undefined,
  health: HealthLog,
): PostgresPool {
  return {
    connect: async () => new RetryingClient(await connect(), connect),
    end: () => pool.end(),
    options: pool.options,
  };

  async function connect(): Promise<PostgresPoolClient> {
    const stopTimer = waits?.startTimer();
    try {
      return await retry(() => pool.connect(), isConnectionLost, longestWait);
    } catch (error) {
      health.down({ err: error });
      throw error;
    } finally {
      stopTimer?.();
    }
  }
}

/**
 * The connection of one request. Outside transactions, it retries over another connection: a statement that wasn't run,
 * or one that only reads.
 */
class RetryingClient implements PostgresPoolClient {
  readonly #connect: () => Promise<PostgresPoolClient>;
  #client: PostgresPoolClient | undefined;
  #isInTransaction = false;

  constructor(client: PostgresPoolClient, connect: () => Promise<PostgresPoolClient>) {
    this.#client = client;
    this.#connect = connect;
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    sql: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof sql !== "string") throw new Error("cursors aren't supported");
    if (/^(begin|start transaction)\b/.test(sql)) this.#isInTransaction = true;
    const isTransient = (error: unknown) =>
      !this.#isInTransaction && (isRefused(error) || (/^select\b/.test(sql) && isConnectionLost(error)));
    return retry(async () => {
      this.#client ??= await this.#connect();
      try {
        return await this.#client.query<Row>(sql, parameters);
      } catch (error) {
        // Otherwise, lost connections of many requests would leave no room in the pool for new ones.
        if (isTransient(error)) this.release();
        throw error;
      }
    }, isTransient);
  }

  /** Returns the connection to the pool, which closes it if it is lost. */
  release(destroy?: boolean): void {
    this.#client?.release(destroy);
    this.#client = undefined;
  }
}
