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
  /** Until when the budget is spent. Each email takes its share of an hour. */
  spentUntil: Moment;
  /** When it was last spent; null if an earlier release has spent it. */
  countedAt: Moment | null;
}

/** A limit that a requested email exceeded, and the consequence. */
export interface RateLimitHit {
  /**
   * The subject of the limit: calls of a network; emails to a mailbox, to a domain, of a site, of all sites; or the
   * suppression list.
   */
  limit: "network" | "mailbox" | "domain" | "site" | "all" | "suppressed";
  /** `refused`: the call was. Otherwise it was accepted, and its email is delayed or not sent. */
  outcome: "refused" | "postponed" | "dropped";
}

/** The site of a requested mail, and its recipient. */
interface RequestedMail {
  site: string;
  email: string;
}

/** The time at which a requested email may be sent. */
export interface SendSlot {
  /** If the email was refused or dropped: when the next one may be requested. */
  at: Moment;
  /** The budget that delays or refuses the mail. */
  hit?: RateLimitHit | undefined;
}

/**
 * Requested emails per hour. After a quiet hour, as many may be sent at once. A site's budget suffices if one in a
 * hundred of a million viewers of a broadcast signs up. A domain's budget suffices for its share of these, if it has
 * 200,000 users and one in a hundred people watches. A larger provider that isn't among the common ones gets its emails
 * later. The common budget is half of what the worker can send, about 60,000 if the server takes 0.3 s per email,
 * because each of these emails may lead to a welcome email.
 */
const mailsPerHour = { domain: 30, site: 10_000, all: 30_000 };
/**
 * The longest delay of an email. Calls beyond it are refused; calls beyond that of a domain are accepted without an
 * email.
 */
const longestDelay: Milliseconds = 12 * hour;
/**
 * The most that a correct clock can have spent. If an earlier release has spent a budget further, its clock was wrong.
 */
const furthestSpent: Milliseconds = longestDelay + 2 * hour;

/** The name of the common budget. Sites have their codes, in capitals, and domains contain a dot. */
const all = "all";

/**
 * Reserves room for emails in the budgets of their sites and domains. Every request does this, even if no email will be
 * sent, so that the answer reveals nothing about an address. Concurrent calls may exceed the longest delay slightly.
 * @returns the slot of each email
 * @throws UnavailableError if the database can't be written
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
    // An email without a slot spends nothing, so that a flood on one site doesn't use up the common budget.
    const open = mails.filter((mail) => !isFull(mail));
    const after = toMap(open.length > 0 ? await spend(db, open, at) : []);
    return (mail) => {
      const hasSlot = !isFull(mail);
      const { delay, limit } = delayOf(hasSlot ? after : before, mail, at);
      if (hasSlot) return delay > 0 ? { at: at + delay, hit: { limit, outcome: "postponed" } } : { at };
      return { at: at + delay - longestDelay, hit: { limit, outcome: limit === "domain" ? "dropped" : "refused" } };
    };
  } catch (cause) {
    throw new UnavailableError("mail budgets can't be updated", { cause });
  }
}

/** Whether a budget was counted by a correct clock. A clock that was ahead has spent more than anybody requested. */
function isCounted({ spentUntil, countedAt }: MailBudgetTable, at: Moment): boolean {
  return (countedAt ?? 0) <= at + clockTolerance && spentUntil <= at + furthestSpent;
}

function toMap(rows: readonly MailBudgetTable[]): Map<string, Moment> {
  return new Map(rows.map(({ name, spentUntil }) => [name, spentUntil]));
}

/** Returns the names of the budgets that aren't shared by all emails. */
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

/** Returns the part of an hour that one email takes from a budget. */
function shareOf(name: string): Milliseconds {
  return hour / mailsPerHour[limitOf(name)];
}

/** Finds the longest of the delays by an email's budgets. Emails wait once an hour is spent. */
function delayOf(spent: ReadonlyMap<string, Moment>, mail: RequestedMail, at: Moment) {
  return [all, ...ownBudgetsOf(mail)]
    .map((name) => ({ limit: limitOf(name), delay: delayBy(spent.get(name), at) }))
    .reduce((longest, next) => (next.delay > longest.delay ? next : longest));
}

function delayBy(spentUntil: Moment = 0, at: Moment): Milliseconds {
  return Math.max(0, spentUntil - hour - at);
}
