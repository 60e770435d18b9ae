import { Socket } from "node:net";
import { type Kysely, PostgresAdapter, PostgresDialect, sql } from "kysely";
import { Pool, type PoolConfig, TypeOverrides, types } from "pg";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { HealthLog } from "../platform/health-log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { createRetryingPool } from "./postgres-pool.ts";

/** The maximum time for opening a connection. */
const connectTimeout: Milliseconds = 5 * second;
/**
 * The maximum time that a request waits for a connection, new or in use. A request may wait twice, and must be answered
 * within seconds however many wait.
 */
const connectionWait: Milliseconds = 3 * second;
/** The maximum time that a request waits for a lock. */
const lockWait: Milliseconds = 2 * second;
/** The maximum run time of a statement. */
const statementTimeout: Milliseconds = 3 * second;
/**
 * A connection that is silent for longer is lost: no statement takes as long, and idle connections are closed earlier.
 */
const longestSilence: Milliseconds = statementTimeout + second;
const unusedFor: Milliseconds = longestSilence - second;

const typeParsers = new TypeOverrides();
// Moments and counts are far below 2^53.
typeParsers.setTypeParser(types.builtins.INT8, Number);

/** Keeps a request from hanging on a database that doesn't answer, or on the locks of a lost connection. */
const requestLimits: PoolConfig = {
  statement_timeout: statementTimeout,
  lock_timeout: lockWait,
  connectionTimeoutMillis: connectionWait,
  idle_in_transaction_session_timeout: longestSilence,
  idleTimeoutMillis: unusedFor,
  // pg's own query_timeout would return the silent connection to the pool.
  stream: () => {
    const socket = new Socket();
    return socket.setTimeout(longestSilence, () => socket.destroy());
  },
};

/**
 * Creates the dialect for requests, with a pool that replaces broken and silent connections.
 * @param waits - measures how long each request waited for a connection
 * @param health - records requests that got none
 */
export function createPostgresDialect(
  url: string,
  waits: Metrics["storeWaits"] | undefined,
  health: HealthLog,
): PostgresDialect {
  const pool = createPool(url, requestLimits);
  return new PooledDialect({ pool: createRetryingPool(pool, connectionWait, waits, health) });
}

/** Creates the dialect for migrations and operators, without time limits. */
export function createDialectWithoutTimeouts(url: string): PostgresDialect {
  return new PooledDialect({ pool: createPool(url, {}) });
}

function createPool(url: string, limits: PoolConfig): Pool {
  const pool = new Pool({
    // pg already treats these alike, but warns that this may change.
    connectionString: url.replace(/([?&]sslmode=)(?:require|verify-ca)(?=&|$)/, "$1verify-full"),
    application_name: "storefront-fragments",
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    types: typeParsers,
    ...limits,
  });
  // Without a listener, an error of a connection would end the process. Running statements fail by themselves.
  const ignore = () => undefined;
  pool.on("connect", (client) => client.on("error", ignore)).on("error", ignore);
  return pool;
}

class PooledDialect extends PostgresDialect {
  override createAdapter() {
    return new TransactionLockAdapter();
  }
}

/** An arbitrary number for the advisory lock. */
const migrations = 1_405_062_022;

/**
 * Locks migrations until the end of the transaction. Kysely's own lock belongs to the connection, which a pooler such
 * as PgBouncer passes on to others: https://www.pgbouncer.org/features.html
 */
class TransactionLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(transaction: Kysely<unknown>) {
    // The role may have limits of its own.
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`set local lock_timeout = 0`.execute(transaction);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrations)})`.execute(transaction);
  }

  override async releaseMigrationLock() {}
}
