import { Socket } from "node:net";
import { type Kysely, PostgresAdapter, PostgresDialect, sql } from "kysely";
import { Pool, type PoolConfig, TypeOverrides, types } from "pg";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import type { Metrics } from "../../metrics.ts";
import { createPatientPool } from "./patient-pool.ts";

/** Longest wait for a new connection. */
const connectTimeout: Milliseconds = 5 * second;
/**
 * Longest wait of a request for a connection, be it a new one or one that others use. It may wait twice, and is to be
 * answered within seconds however many wait (test/faults/database-faults.ts).
 */
const connectionWait: Milliseconds = 3 * second;
/** Longest wait of a request for what another transaction has locked. */
const lockWait: Milliseconds = 2 * second;
/** Longest time that a statement takes. */
const statementTimeout: Milliseconds = 3 * second;
/** After this time of silence a connection is lost. No statement takes as long, and nothing unused is kept as long. */
const longestSilence: Milliseconds = statementTimeout + second;
const unusedFor: Milliseconds = longestSilence - second;

/** Limits that keep a request from hanging on a database that doesn't answer, or on what a lost connection has locked. */
const requestLimits: PoolConfig = {
  statement_timeout: statementTimeout,
  lock_timeout: lockWait,
  connectionTimeoutMillis: connectionWait,
  idle_in_transaction_session_timeout: longestSilence,
  idleTimeoutMillis: unusedFor,
  // pg's own query_timeout would give the connection on which nothing comes back to the next request.
  stream: () => {
    const socket = new Socket();
    return socket.setTimeout(longestSilence, () => socket.destroy());
  },
};

/**
 * Creates the dialect for PostgreSQL, through a pool that replaces connections that break or fall silent.
 * @param waits - is told how long each waited for a connection
 */
export function createPostgresDialect(url: string, waits?: Metrics["storeWaits"]): PostgresDialect {
  const pool = createPool(url, requestLimits);
  return new PooledDialect({ pool: createPatientPool(pool, { patience: connectionWait, waits }) });
}

/** Creates the dialect for migrations and operators, whose statements take as long as they need. */
export function createUnlimitedDialect(url: string): PostgresDialect {
  return new PooledDialect({ pool: createPool(url, {}) });
}

function createPool(url: string, limits: PoolConfig): Pool {
  const pool = new Pool({
    // So pg understands these already, but warns that it may not do so for ever.
    connectionString: url.replace(/([?&]sslmode=)(?:require|verify-ca)(?=&|$)/, "$1verify-full"),
    application_name: "storefront-fragments",
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    types: readBigintAsNumber(),
    ...limits,
  });
  // The pool listens to the connections that nothing uses, and to no other. What an error breaks off fails by itself.
  const ignore = () => undefined;
  pool.on("connect", (client) => client.on("error", ignore)).on("error", ignore);
  return pool;
}

class PooledDialect extends PostgresDialect {
  override createAdapter() {
    return new TransactionLockAdapter();
  }
}

/** Any number that nothing else locks in the same database. */
const migrations = 1_405_062_022;

/**
 * The adapter that keeps other replicas from their migrations until the transaction is over. Kysely's own lock is the
 * connection's, which a pooler such as PgBouncer hands on: https://www.pgbouncer.org/features.html
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

// All that the tables keep in a bigint, moments and counts, is far below 2^53.
function readBigintAsNumber(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}
