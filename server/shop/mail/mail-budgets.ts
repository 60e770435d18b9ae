import type { Kysely } from "kysely";
import { hour, type Milliseconds, type Moment } from "../../../client/rules/time.ts";
import { UnavailableError } from "../../errors.ts";
import { changeWhatMayBeLost } from "../store/may-be-lost.ts";
import type { Tables } from "../store/tables.ts";
import type { MetLimit } from "./met-limit.ts";

type MailBudget = "site" | "all";

/**
 * How many mails that anybody can ask for go out in an hour; as many may go at once after a quiet hour. A site has room
 * for one viewer in a hundred of a broadcast that a million see. All together have half of what the worker sends, which
 * is about 60,000 with a server that takes a mail in 0.3 s: each of these mails may lead to a welcome.
 */
const perHour: Record<MailBudget, number> = { site: 10_000, all: 30_000 };
/** How long a mail may wait for its turn. Until then calls are taken, and beyond it none is. */
const longestWait = 12 * hour;
/** How far what is spent reaches at most. What reaches further was counted by a clock that has been set back since. */
const mostSpent = longestWait + 2 * hour;

export interface Turn {
  /** When the mail may go out; or, if it was refused, when one may be asked for again. */
  at: Moment;
  /** The budget that makes the mail wait, or refuses it. */
  met?: MetLimit | undefined;
}

/**
 * Takes the next turns of sites' mails, one for each site that is given, as often as it is given. One is to be taken for
 * every mail that is asked for, even if none will be sent, so that the answer says nothing about an address. Calls at the
 * same time may go beyond the longest wait by some mails.
 * @returns what gives a site its turns, one after the other
 * @throws UnavailableError when the store can't count
 */
export async function takeTurns(
  db: Kysely<Tables>,
  sites: readonly string[],
  at: Moment,
): Promise<(site: string) => Turn> {
  try {
    const before = await db
      .selectFrom("mailBudget")
      .selectAll()
      .where("name", "in", [all, ...new Set(sites)])
      .execute();
    const isFull = (site: string) => longest(before, site, at).wait > longestWait;
    // A call that is refused spends nothing: a flood of one site's isn't one of all.
    const open = sites.filter((site) => !isFull(site));
    const spent = open.length > 0 ? await changeWhatMayBeLost(() => spend(db, countMails(open), at)) : [];
    const left = countMails(open);
    return (site) => (isFull(site) ? refusal(before, site, at) : nextTurn(spent, left, site, at));
  } catch (cause) {
    throw new UnavailableError("the store can't count mails", { cause });
  }
}

/** A site's budget has its code as name, in capitals. */
const all = "all";

interface Spent {
  name: string;
  spentUntil: Moment;
}

/** How many mails each budget is to let go, the one of all first. */
type Mails = Map<string, number>;

function countMails(sites: readonly string[]): Mails {
  const mails: Mails = new Map([[all, sites.length]]);
  for (const site of sites.toSorted()) mails.set(site, (mails.get(site) ?? 0) + 1);
  return mails;
}

/** Spends of budgets the time that mails take of their hour. All replicas lock them in the same order. */
function spend(db: Kysely<Tables>, mails: Mails, at: Moment): Promise<Spent[]> {
  return db
    .insertInto("mailBudget")
    .values([...mails].map(([name, count]) => ({ name, spentUntil: at + count * timeOf(name) })))
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet(({ eb, ref }) => ({
        spentUntil: eb
          .case()
          .when(eb.or([eb("mailBudget.spentUntil", "<", at), eb("mailBudget.spentUntil", ">", at + mostSpent)]))
          .then(ref("excluded.spentUntil"))
          .else(eb("mailBudget.spentUntil", "+", eb("excluded.spentUntil", "-", at)))
          .end(),
      })),
    )
    .returningAll()
    .execute();
}

function refusal(before: readonly Spent[], site: string, at: Moment): Turn {
  const { wait, limit } = longest(before, site, at);
  return { at: at + wait - longestWait, met: { limit, outcome: "refused" } };
}

/** Gives a site the first of the turns that are left. */
function nextTurn(spent: readonly Spent[], left: Mails, site: string, at: Moment): Turn {
  for (const name of [all, site]) left.set(name, (left.get(name) ?? 0) - 1);
  const own = spent.map(({ name, spentUntil }) => ({
    name,
    spentUntil: spentUntil - (left.get(name) ?? 0) * timeOf(name),
  }));
  const { wait, limit } = longest(own, site, at);
  return wait > 0 ? { at: at + wait, met: { limit, outcome: "postponed" } } : { at };
}

function timeOf(name: string): Milliseconds {
  return hour / perHour[budgetOf(name)];
}

/** Finds the budget that makes a site's mail wait longest. What is spent reaches beyond an hour where mails wait. */
function longest(spent: readonly Spent[], site: string, at: Moment): { wait: Milliseconds; limit: MailBudget } {
  return spent
    .filter(({ name, spentUntil }) => (name === all || name === site) && spentUntil <= at + mostSpent)
    .map(({ name, spentUntil }) => ({ wait: Math.max(0, spentUntil - hour - at), limit: budgetOf(name) }))
    .reduce((one, other) => (other.wait > one.wait ? other : one), { wait: 0, limit: "all" });
}

function budgetOf(name: string): MailBudget {
  return name === all ? "all" : "site";
}
