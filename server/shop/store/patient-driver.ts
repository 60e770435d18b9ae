import { setTimeout as pause } from "node:timers/promises";
import { type DatabaseConnection, type Driver, PostgresDriver } from "kysely";
import type { Milliseconds } from "../../../client/rules/time.ts";
import { doneAgainWithin, isLostConnection, wasRefused } from "./lost-connection.ts";

/** Time between two tries to connect. */
const between: Milliseconds = 100;

/**
 * The driver of PostgreSQL for requests. Visitors hardly notice when it is restarted: a request waits for the new
 * connection, and a statement that is lost is done again. Whole transactions, `inTransaction` does again.
 */
export class PatientDriver extends PostgresDriver {
  readonly #patience: Milliseconds;
  readonly #prepared = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();

  /** @param patience - how long a request waits for a connection that PostgreSQL refuses */
  constructor(config: ConstructorParameters<typeof PostgresDriver>[0], patience: Milliseconds) {
    super(config);
    this.#patience = patience;
  }

  override async acquireConnection(...options: Parameters<PostgresDriver["acquireConnection"]>) {
    for (const begun = performance.now(); ; await pause(between)) {
      try {
        return this.#prepare(await super.acquireConnection(...options));
      } catch (error) {
        if (!isLostConnection(error) || performance.now() - begun > this.#patience) throw error;
      }
    }
  }

  override async beginTransaction(...[connection, ...settings]: Parameters<PostgresDriver["beginTransaction"]>) {
    this.#inTransaction.add(connection);
    await super.beginTransaction(connection, ...settings);
  }

  override async releaseConnection(connection: Parameters<PostgresDriver["releaseConnection"]>[0]) {
    this.#inTransaction.delete(connection);
    await super.releaseConnection(connection);
  }

  #prepare(connection: DatabaseConnection): DatabaseConnection {
    if (!this.#prepared.has(connection)) doAgain(this, connection, () => !this.#inTransaction.has(connection));
    this.#prepared.add(connection);
    return connection;
  }
}

/**
 * Lets a connection do over another one what it couldn't, and what belongs to no transaction: what surely wasn't done,
 * and what changes nothing.
 */
function doAgain(driver: Driver, connection: DatabaseConnection, isAlone: () => boolean): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async <Row>(...asked: Parameters<DatabaseConnection["executeQuery"]>) => {
    const [{ query }] = asked;
    const begun = performance.now();
    try {
      return await execute<Row>(...asked);
    } catch (error) {
      const isHarmless = wasRefused(error) || (isLostConnection(error) && query.kind === "SelectQueryNode");
      if (!isHarmless || !isAlone() || performance.now() - begun > doneAgainWithin) throw error;
    }
    const other = await driver.acquireConnection();
    try {
      return await other.executeQuery<Row>(...asked);
    } finally {
      await driver.releaseConnection(other);
    }
  };
}
