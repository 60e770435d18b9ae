import { hour, type Milliseconds, type Moment } from "../../../../client/rules/time.ts";
import { UnavailableError } from "../../../platform/errors.ts";
import { clockTolerance } from "../../../platform/time.ts";
import { confirmEarly } from "../../../store/early-confirmation.ts";
import type { Database } from "../../../store/open-store.ts";
import { privateDomainOf } from "./mailboxes.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    mailBudget: MailBudgetTable;
  }
}

interface MailBudgetTable {
  /** Code of a site, a domain, or `all`. */
  name: string;
  /** How far the budget is spent: each mail takes its share of an hour. */
  spentUntil: Moment;
  /** When it was last spent; null where an earlier release has spent it. */
  countedAt: Moment | null;
}

/** A limit that a requested mail exceeded, and the outcome. */
export interface RateLimitHit {
  /** Calls of a network; mails to a mailbox, to a domain, of a site, of all sites; or the suppression list. */
  limit: "network" | "mailbox" | "domain" | "site" | "all" | "suppressed";
  /** The call was refused; or it was accepted, and its mail is delayed or not sent. */
  outcome: "refused" | "postponed" | "dropped";
}

/** The site of a requested mail, and its recipient. */
interface RequestedMail {
  site: string;
  email: string;
}

/** When a requested mail may be sent. */
export interface SendSlot {
  /** If the mail was refused or dropped: when the next one may be requested. */
  at: Moment;
  /** The budget that delays or refuses the mail. */
  hit?: RateLimitHit | undefined;
}

/**
 * Requested mails per hour; as many may be sent at once after a quiet hour. A site's budget is enough for one in a
 * hundred of a million viewers of a broadcast. A domain's is enough for those among its 200,000 users, if one in a
 * hundred people watches; a provider with more that isn't among the common ones gets its mails later. The common budget
 * is half of what the worker sends, about 60,000 with a server that takes 0.3 s per mail, because each of these mails may
 * lead to a welcome.
 */
const mailsPerHour = { domain: 30, site: 10_000, all: 30_000 };
/** Longest delay of a mail. Calls beyond it are refused; those beyond a domain's are accepted without a mail. */
const longestDelay: Milliseconds = 12 * hour;
/** A budget of an earlier release that is spent further than this was counted by a clock that was wrong. */
const furthestSpent: Milliseconds = longestDelay + 2 * hour;

/** The name of the common budget; sites have their codes, in capitals, and domains contain a dot. */
const all = "all";

/**
 * Reserves room for mails in the budgets of their sites and domains. Every request takes it, even if no mail will be
 * sent, so that the answer reveals nothing about an address. Concurrent calls may exceed the longest delay slightly.
 * @returns the slot of each of the mails
 * @throws UnavailableError when the database can't be written
 */
export async function reserveSendSlots(
  db: Database,
  mails: readonly RequestedMail[],
  at: Moment,
): Promise<(mail: RequestedMail) => SendSlot> {
  try {
    const names = [all, ...new Set(mails.flatMap(ownBudgetsOf))];
    const rows = await db.selectFrom("mailBudget").selectAll().where("name", "in", names).execute();
    const before = toMap(rows.filter((row) => isCounted(row, at)));
    const isFull = (mail: RequestedMail) => delayOf(before, mail, at).delay > longestDelay;
    // A mail without a slot spends nothing, so that a flood on one site doesn't use up the common budget.
    const open = mails.filter((mail) => !isFull(mail));
    const after = toMap(open.length > 0 ? await spend(db, open, at) : []);
    return (mail) => {
      const hasSlot = !isFull(mail);
      const { delay, limit } = delayOf(hasSlot ? after : before, mail, at);
      if (hasSlot) return delay > 0 ? { at: at + delay, hit: { limit, outcome: "postponed" } } : { at };
      return { at: at + delay - longestDelay, hit: { limit, outcome: limit === "domain" ? "dropped" : "refused" } };
    };
  } catch (cause) {
    throw new UnavailableError("the store can't count mails", { cause });
  }
}

/** Whether a budget was counted by a clock that was right. One that was ahead has spent more than anybody requested. */
function isCounted({ spentUntil, countedAt }: MailBudgetTable, at: Moment): boolean {
  return (countedAt ?? 0) <= at + clockTolerance && spentUntil <= at + furthestSpent;
}

function toMap(rows: readonly MailBudgetTable[]): Map<string, Moment> {
  return new Map(rows.map(({ name, spentUntil }) => [name, spentUntil]));
}

/** Returns the names of the budgets that not all mails share. */
function ownBudgetsOf({ site, email }: RequestedMail): string[] {
  const domain = privateDomainOf(email);
  return domain === undefined ? [site] : [site, domain];
}

/** Advances the budgets of mails. All replicas lock them in the same order. */
function spend(db: Database, mails: readonly RequestedMail[], at: Moment): Promise<MailBudgetTable[]> {
  const spent = Map.groupBy([...mails.map(() => all), ...mails.flatMap(ownBudgetsOf).toSorted()], (name) => name);
  return db
    .insertInto("mailBudget")
    .values([...spent].map(([name, { length }]) => ({ name, spentUntil: at + length * shareOf(name), countedAt: at })))
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet(({ eb, ref }) => {
        const isOver = eb("mailBudget.spentUntil", "<", at);
        const isFarSpent = eb("mailBudget.spentUntil", ">", at + furthestSpent);
        return {
          spentUntil: eb
            .case()
            .when(eb.or([isOver, isFarSpent, eb("mailBudget.countedAt", ">", at + clockTolerance)]))
            .then(ref("excluded.spentUntil"))
            .else(eb("mailBudget.spentUntil", "+", eb("excluded.spentUntil", "-", at)))
            .end(),
          countedAt: at,
        };
      }),
    )
    .returningAll()
    .returning(confirmEarly(db).as("early"))
    .execute();
}

function limitOf(name: string): keyof typeof mailsPerHour {
  if (name === all) return "all";
  return name.includes(".") ? "domain" : "site";
}

/** The part of an hour that one mail takes of a budget. */
function shareOf(name: string): Milliseconds {
  return hour / mailsPerHour[limitOf(name)];
}

/** Finds the longest of the delays that a mail's budgets impose: mails wait once an hour is spent. */
function delayOf(spent: ReadonlyMap<string, Moment>, mail: RequestedMail, at: Moment) {
  return [all, ...ownBudgetsOf(mail)]
    .map((name) => ({ limit: limitOf(name), delay: delayBy(spent.get(name), at) }))
    .reduce((longest, next) => (next.delay > longest.delay ? next : longest));
}

function delayBy(spentUntil: Moment = 0, at: Moment): Milliseconds {
  return Math.max(0, spentUntil - hour - at);
}
