import { type RawBuilder, type SqlBool, sql } from "kysely";

/** The condition that a column holds an address, whichever of its letters are capitals. */
export function addressIs(column: string, email: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) = lower(${email})`;
}
