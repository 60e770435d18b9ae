import { type RawBuilder, type SqlBool, sql } from "kysely";
import addressparser from "nodemailer/lib/addressparser";
import { day, type Milliseconds, type Moment, minute } from "../../../../client/rules/time.ts";
import type { StoreTransaction } from "../../../store/in-transaction.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    mailbox: MailboxTable;
  }
}

/** A mailbox to which somebody has recently requested a mail. */
interface MailboxTable {
  address: string;
  askedAt: Moment;
}

/** The mails that anybody can request for any address. */
export const requestedKinds = ["confirm", "alreadySubscribed"] as const;
/** Shortest time between two requested mails to a mailbox, so that nobody can flood a stranger's address. */
const pause: Milliseconds = 15 * minute;
/** The limit of requested mails to a mailbox. */
const mailsPerDay = 3;

/** Domains whose mailboxes ignore dots: https://support.google.com/mail/answer/7436150 */
const ignoresDots = /^(.+)@(?:gmail|googlemail)\.com$/;

/**
 * Returns the mailbox behind an address, without capitals and tag: mail to `ada+shop@` arrives at `ada@` (RFC 5233). It
 * identifies the mailbox for limits; mails are sent to the address.
 */
export function mailboxOf(address: string): string {
  const mailbox = address.toLowerCase().replace(/^([^+]+)\+[^@]*@/, "$1@");
  const [, name] = ignoresDots.exec(mailbox) ?? [];
  return name === undefined ? mailbox : `${name.replaceAll(".", "")}@gmail.com`;
}

/** The SQL condition that a column holds an address, regardless of capitals. */
export function addressIs(column: string, email: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) = lower(${email})`;
}

/** Splits `Shop <news@shop.example>` into name and address. */
export function parseMailbox(mailbox: string): { name: string; address: string } {
  const [parsed] = addressparser(mailbox);
  return { name: parsed?.name ?? "", address: parsed?.address ?? "" };
}

/**
 * Locks mailboxes until the transaction ends, so that nobody else counts or queues mails to them. It always writes, and
 * in sorted order, so that two transactions can't deadlock.
 */
export async function lockMailboxes(
  transaction: StoreTransaction,
  mailboxes: ReadonlySet<string>,
  at: Moment,
): Promise<void> {
  await transaction
    .insertInto("mailbox")
    .values([...mailboxes].sort().map((address) => ({ address, askedAt: at })))
    .onConflict((conflict) => conflict.column("address").doUpdateSet({ askedAt: at }))
    .execute();
}

/**
 * Finds when addresses may get their next requested mail: now, or later. Their mailboxes stay locked until the
 * transaction ends.
 * @returns the moment of an address
 */
export async function nextMailTimes(
  transaction: StoreTransaction,
  recipients: readonly string[],
  at: Moment,
): Promise<(recipient: string) => Moment> {
  const mailboxes = new Set(recipients.map(mailboxOf));
  await lockMailboxes(transaction, mailboxes, at);
  const mails = await transaction
    .selectFrom("mailOutbox")
    .select(["mailbox", "createdAt"])
    .where("mailbox", "in", [...mailboxes])
    .where("kind", "in", requestedKinds)
    .where("createdAt", ">", at - day)
    .orderBy("createdAt", "desc")
    .execute();
  const mailsOf = Map.groupBy(mails, ({ mailbox }) => mailbox);
  return (recipient) => {
    const sent = mailsOf.get(mailboxOf(recipient)) ?? [];
    const [last] = sent;
    const first = sent[mailsPerDay - 1];
    return Math.max(at, ...(last ? [last.createdAt + pause] : []), ...(first ? [first.createdAt + day] : []));
  };
}
