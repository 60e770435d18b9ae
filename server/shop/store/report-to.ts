import type { Dialect, Driver } from "kysely";
import type { Outage } from "../../outage.ts";

/** Lets an outage know where a database can't be asked at all. What comes of statements, Kysely's log says. */
export function reportTo(outage: Outage, dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => reportDriver(outage, dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function reportDriver(outage: Outage, driver: Driver): Driver {
  const report = (error: unknown) => {
    outage.failed({ err: error });
    throw error;
  };
  return {
    init: (options) => driver.init(options),
    acquireConnection: (options) => driver.acquireConnection(options).catch(report),
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings).catch(report),
    commitTransaction: (connection) => driver.commitTransaction(connection).catch(report),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  };
}
