import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { StartError } from "../../errors.ts";
import { emptyLog } from "./sqlite-driver.ts";
import type { Tables } from "./tables.ts";

/** How long the log holds what was overwritten since, such as the tokens of a mail that was sent. */
const kept: Milliseconds = 5 * second;
/** How long a command tries to empty the log, and the time between two tries. */
const longestTry: Milliseconds = 5 * second;
const tryPause: Milliseconds = 50;

/** Empties the log of SQLite again and again, as what was deleted is overwritten in the file, and only there. */
export function keepEmptyingLog(db: Kysely<Tables>): NodeJS.Timeout {
  // What keeps it from that may be gone the next time; if not, it fails changes, too, and those tell of it.
  return setInterval(() => void tryEmptyLog(db).catch(() => undefined), kept).unref();
}

/**
 * Empties the log of SQLite now.
 * @throws StartError when another process keeps it from that
 */
export async function emptyLogNow(db: Kysely<Tables>): Promise<void> {
  const limit = performance.now() + longestTry;
  while (!(await tryEmptyLog(db))) {
    if (performance.now() > limit)
      throw new StartError(["store: a file beside it still holds what was deleted, as it is in use; try again"]);
    await pause(tryPause);
  }
}

/** @returns whether the log is empty: another process may keep it from that */
async function tryEmptyLog(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await db.executeQuery<{ busy: number }>(emptyLog);
  return rows[0]?.busy === 0;
}
