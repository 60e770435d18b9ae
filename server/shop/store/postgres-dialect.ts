import { PostgresDialect } from "kysely";
import { Pool, TypeOverrides, types } from "pg";
import { second } from "../../../client/rules/time.ts";
import type { Logger } from "../../logger.ts";

/** Limits that keep a request from hanging on a database that doesn't answer. */
const connectTimeout = 5 * second;
const statementTimeout = 10 * second;

/** PostgreSQL through a pool, which replaces connections that break. */
export function createPostgresDialect(url: string, logger: Logger): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    application_name: "storefront-fragments",
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    keepAlive: true,
    types: readBigintAsNumber(),
  });
  pool.on("error", (error) => logger.warn({ err: error }, "database connection lost"));
  return new PostgresDialect({ pool });
}

/** All that is kept in a bigint is far below 2^53: points in time, and counts. */
function readBigintAsNumber(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}
