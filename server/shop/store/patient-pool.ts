import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { Milliseconds } from "../../../client/rules/time.ts";
import type { Metrics } from "../../metrics.ts";
import { doneAgainWithin, isLostConnection, wasRefused } from "./lost-connection.ts";
import { tryAgain } from "./try-again.ts";

interface Options {
  /** How long a request waits for a connection that PostgreSQL refuses. */
  patience: Milliseconds;
  /** Is told how long each waited for a connection, whether or not it got one. */
  waits: Metrics["storeWaits"] | undefined;
}

/**
 * Creates what gives connections to requests. Visitors hardly notice when PostgreSQL is restarted: a request waits for
 * the new connection, and a statement that is lost is done again. Whole transactions, `inTransaction` does again.
 */
export function createPatientPool(pool: PostgresPool, { patience, waits }: Options): PostgresPool {
  return {
    connect: async () => new PatientClient(await connect(), connect),
    end: () => pool.end(),
    options: pool.options,
  };

  async function connect(): Promise<PostgresPoolClient> {
    const end = waits?.startTimer();
    try {
      return await tryAgain(() => pool.connect(), { passes: isLostConnection, within: patience });
    } finally {
      end?.();
    }
  }
}

/**
 * A connection for one request. What it couldn't do, and what belongs to no transaction, it does again over another
 * connection: what surely wasn't done, and what changes nothing.
 */
class PatientClient implements PostgresPoolClient {
  readonly #connect: () => Promise<PostgresPoolClient>;
  #client: PostgresPoolClient | undefined;
  #isLost = false;
  #isInTransaction = false;

  constructor(client: PostgresPoolClient, connect: () => Promise<PostgresPoolClient>) {
    this.#client = client;
    this.#connect = connect;
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    asked: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof asked !== "string") throw new Error("nothing reads by a cursor");
    return this.#ask<Row>(asked, parameters);
  }

  /** Gives the connection back, but for one that is lost, which the pool is to close. */
  release(destroy = false): void {
    this.#client?.release(destroy || this.#isLost);
    this.#client = undefined;
    this.#isLost = false;
  }

  async #ask<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (/^(begin|start transaction)\b/.test(sql)) this.#isInTransaction = true;
    const passes = (error: unknown) =>
      !this.#isInTransaction && (wasRefused(error) || (/^select\b/.test(sql) && isLostConnection(error)));
    const askOnce = async () => {
      this.#client ??= await this.#connect();
      try {
        return await this.#client.query<Row>(sql, parameters);
      } catch (error) {
        this.#isLost = isLostConnection(error);
        // Kept, the lost connections of many requests would leave the pool no room for new ones.
        if (passes(error)) this.release();
        throw error;
      }
    };
    return tryAgain(askOnce, { passes, within: doneAgainWithin });
  }
}
