import { hour, type Milliseconds, type Moment } from "../../../../client/rules/time.ts";
import { UnavailableError } from "../../../platform/errors.ts";
import type { Database } from "../../../store/open-store.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    mailBudget: MailBudgetTable;
  }
}

interface MailBudgetTable {
  /** Code of a site, or `all`. */
  name: string;
  /** How far the budget is spent: each mail takes its share of an hour. */
  spentUntil: Moment;
}

/** A limit that a requested mail exceeded, and the outcome. */
export interface RateLimitHit {
  /** Calls of a network; mails to a mailbox, of a site, of all sites; or the suppression list. */
  limit: "network" | "mailbox" | "site" | "all" | "suppressed";
  /** The call was refused; or it was accepted, and its mail is delayed or not sent. */
  outcome: "refused" | "postponed" | "dropped";
}

/** When a requested mail may be sent. */
export interface SendSlot {
  /** If the mail was refused: when the next one may be requested. */
  at: Moment;
  /** The budget that delays or refuses the mail. */
  hit?: RateLimitHit | undefined;
}

/**
 * Requested mails per hour; as many may be sent at once after a quiet hour. A site's budget is enough for one in a
 * hundred of a million viewers of a broadcast. The common one is half of what the worker sends, about 60,000 with a
 * server that takes 0.3 s per mail, because each of these mails may lead to a welcome.
 */
const mailsPerHour = { site: 10_000, all: 30_000 };
/** Longest delay of a mail. Calls beyond it are refused. */
const longestDelay: Milliseconds = 12 * hour;
/** A budget spent further than this was counted by a clock that was wrong, and is ignored. */
const furthestSpent: Milliseconds = longestDelay + 2 * hour;

/** The name of the common budget; sites have their codes, in capitals. */
const all = "all";

/**
 * Reserves room in the budgets of sites, for a mail per occurrence of a site. Every request takes it, even if no mail
 * will be sent, so that the answer reveals nothing about an address. Concurrent calls may exceed the longest delay
 * slightly.
 * @returns the slot of a site's mails
 * @throws UnavailableError when the database can't be written
 */
export async function reserveSendSlots(
  db: Database,
  sites: readonly string[],
  at: Moment,
): Promise<(site: string) => SendSlot> {
  try {
    const names = [all, ...new Set(sites)];
    const before = toMap(await db.selectFrom("mailBudget").selectAll().where("name", "in", names).execute());
    const isFull = (site: string) => delayOf(before, site, at).delay > longestDelay;
    // A refused call spends nothing, so that a flood on one site doesn't use up the common budget.
    const open = sites.filter((site) => !isFull(site));
    const after = toMap(open.length > 0 ? await spend(db, open, at) : []);
    return (site) => {
      const isRefused = isFull(site);
      const { delay, limit } = delayOf(isRefused ? before : after, site, at);
      if (isRefused) return { at: at + delay - longestDelay, hit: { limit, outcome: "refused" } };
      return delay > 0 ? { at: at + delay, hit: { limit, outcome: "postponed" } } : { at };
    };
  } catch (cause) {
    throw new UnavailableError("the store can't count mails", { cause });
  }
}

function toMap(rows: readonly MailBudgetTable[]): Map<string, Moment> {
  return new Map(rows.map(({ name, spentUntil }) => [name, spentUntil]));
}

/** Advances the budgets of sites, and the common one, by their mails. All replicas lock them in the same order. */
function spend(db: Database, sites: readonly string[], at: Moment): Promise<MailBudgetTable[]> {
  const mails = Map.groupBy([...sites.map(() => all), ...sites.toSorted()], (name) => name);
  return db
    .insertInto("mailBudget")
    .values([...mails].map(([name, { length }]) => ({ name, spentUntil: at + length * shareOf(name) })))
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet(({ eb, ref }) => ({
        spentUntil: eb
          .case()
          .when(eb.or([eb("mailBudget.spentUntil", "<", at), eb("mailBudget.spentUntil", ">", at + furthestSpent)]))
          .then(ref("excluded.spentUntil"))
          .else(eb("mailBudget.spentUntil", "+", eb("excluded.spentUntil", "-", at)))
          .end(),
      })),
    )
    .returningAll()
    .execute();
}

/** The part of an hour that one mail takes of a budget. */
function shareOf(name: string): Milliseconds {
  return hour / mailsPerHour[name === all ? "all" : "site"];
}

/** Finds the longer of the delays that the site's and the common budget impose: mails wait once an hour is spent. */
function delayOf(spent: ReadonlyMap<string, Moment>, site: string, at: Moment) {
  const [own, common] = [delayBy(spent.get(site), at), delayBy(spent.get(all), at)];
  return own > common ? ({ delay: own, limit: "site" } as const) : ({ delay: common, limit: "all" } as const);
}

function delayBy(spentUntil: Moment = 0, at: Moment): Milliseconds {
  return spentUntil > at + furthestSpent ? 0 : Math.max(0, spentUntil - hour - at);
}
