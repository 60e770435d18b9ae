import { PostgresAdapter } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import type { LineResult } from "../../../store/import-lines.ts";
import { type Database, inTransaction, type StoreTransaction } from "../../../store/open-store.ts";

/** A code as `schemas/subscriber-line.schema.json` has it, so that it moves with its subscriber. */
const codePattern = /^[\w-]*$/;
const longestCode = 64;

/** Finds what is wrong with a line of a file of codes. */
export function findCodeFaults(code: string): string[] {
  if (code === "") return ["is empty"];
  if (code.length > longestCode) return [`has ${code.length} characters: a code has at most ${longestCode}`];
  return codePattern.test(code) ? [] : ["must consist of letters, digits, - and _"];
}

/**
 * Adds a shop's own codes, all or none of them. A code that a subscriber already has, by an earlier import or another
 * store, counts as taken.
 * @returns `unchanged` for known codes of the site; a fault for those of another site
 * @throws UnavailableError if the database can't be written
 */
export function importCodes(db: Database, site: string, codes: readonly string[], at: Moment): Promise<LineResult[]> {
  return inTransaction(db, async (transaction) => {
    const issued = await transaction
      .selectFrom("voucher")
      .select(["code", "site"])
      .where("code", "in", codes)
      .execute();
    const known = await transaction
      .selectFrom("voucherCode")
      .select(["code", "site"])
      .where("code", "in", codes)
      .execute();
    const siteOf = new Map([...issued, ...known].map((row) => [row.code, row.site]));
    const added = codes
      .filter((code) => !siteOf.has(code))
      .map((code) => ({ code, site, importedAt: at, takenAt: null }));
    const taken = issued
      .filter((row) => row.site === site)
      .map(({ code }) => ({ code, site, importedAt: at, takenAt: at }));
    if (added.length + taken.length > 0)
      await transaction
        .insertInto("voucherCode")
        .values([...added, ...taken])
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return codes.map((code) => {
      const other = siteOf.get(code);
      if (other === undefined) return "added";
      return other === site ? "unchanged" : { faults: [`is a code of ${other}`] };
    });
  });
}

/** Takes a code of a site, the earliest imported first; undefined if none is left. */
export async function takeCode(transaction: StoreTransaction, site: string, at: Moment): Promise<string | undefined> {
  const isPostgres = transaction.getExecutor().adapter instanceof PostgresAdapter;
  const next = transaction
    .selectFrom("voucherCode")
    .select("code")
    .where("site", "=", site)
    .where("takenAt", "is", null)
    .orderBy("importedAt")
    .orderBy("code")
    .limit(1)
    // Takes another code than transactions that haven't ended yet. SQLite has one writer, and no such locks.
    .$if(isPostgres, (query) => query.forUpdate().skipLocked());
  const taken = await transaction
    .updateTable("voucherCode")
    .set({ takenAt: at })
    .where("code", "=", next)
    .returning("code")
    .executeTakeFirst();
  return taken?.code;
}

/** Marks codes that subscribers got in another store as taken. */
export async function markTaken(transaction: StoreTransaction, codes: readonly string[], at: Moment): Promise<void> {
  await transaction
    .updateTable("voucherCode")
    .set({ takenAt: at })
    .where("code", "in", codes)
    .where("takenAt", "is", null)
    .execute();
}

/** Counts the codes that no subscriber has got, by site. */
export async function countCodesLeft(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("voucherCode")
    .select(({ fn }) => ["site", fn.countAll<number>().as("count")])
    .where("takenAt", "is", null)
    .groupBy("site")
    .execute();
  return new Map(rows.map(({ site, count }) => [site, count]));
}
