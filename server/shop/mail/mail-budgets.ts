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
  met?: MetLimit;
}

/**
 * Takes the next turn of a site's mails. It is to be taken for every mail that is asked for, even if none will be sent,
 * so that the answer says nothing about an address. Calls at the same time may go beyond the longest wait by some mails.
 * @throws UnavailableError when the store can't count
 */
export async function takeTurn(db: Kysely<Tables>, site: string, at: Moment): Promise<Turn> {
  try {
    const before = await db.selectFrom("mailBudget").selectAll().where("name", "in", [all, site]).execute();
    const full = longest(before, at);
    // A call that is refused spends nothing: a flood of one site's isn't one of all.
    if (full.wait > longestWait)
      return { at: at + full.wait - longestWait, met: { limit: full.limit, outcome: "refused" } };
    const { wait, limit } = longest(await changeWhatMayBeLost(() => spend(db, site, at)), at);
    return wait > 0 ? { at: at + wait, met: { limit, outcome: "postponed" } } : { at };
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

/** Spends of both budgets the time that a mail takes of their hour. */
function spend(db: Kysely<Tables>, site: string, at: Moment): Promise<Spent[]> {
  return db
    .insertInto("mailBudget")
    .values([all, site].map((name) => ({ name, spentUntil: at + hour / perHour[budgetOf(name)] })))
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

/** Finds the budget that makes a mail wait longest. What is spent reaches beyond an hour where mails have to wait. */
function longest(spent: Spent[], at: Moment): { wait: Milliseconds; limit: MailBudget } {
  return spent
    .filter(({ spentUntil }) => spentUntil <= at + mostSpent)
    .map(({ name, spentUntil }) => ({ wait: Math.max(0, spentUntil - hour - at), limit: budgetOf(name) }))
    .reduce((one, other) => (other.wait > one.wait ? other : one), { wait: 0, limit: "all" });
}

function budgetOf(name: string): MailBudget {
  return name === all ? "all" : "site";
}
