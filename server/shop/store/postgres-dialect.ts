import { PostgresDialect } from "kysely";
import { Pool, TypeOverrides, types } from "pg";
import { second } from "../../../client/rules/time.ts";
import type { Logger } from "../../logger.ts";

/** Limits that keep a request from hanging on a database that doesn't answer. */
const connectTimeout = 5 * second;
const statementTimeout = 10 * second;

/** Creates the dialect for PostgreSQL, through a pool that replaces connections that break. */
export function createPostgresDialect(url: string, logger: Logger): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    application_name: "storefront-fragments",
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    keepAlive: true,
    types: readBigintAsNumber(),
  });
  const warn = (error: Error) => logger.warn({ err: error }, "the store lost a connection to its database");
  // The pool listens to the connections that nothing uses, and to no other. What an error breaks off fails by itself.
  pool.on("connect", (client) => client.on("error", warn)).on("error", () => undefined);
  return new PostgresDialect({ pool });
}

// All that the tables keep in a bigint, moments and counts, is far below 2^53.
function readBigintAsNumber(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}
