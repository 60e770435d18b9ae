import { type RawBuilder, type SqlBool, sql } from "kysely";
import addressparser from "nodemailer/lib/addressparser";
import { mailProviders } from "../../../../client/rules/mail-providers.ts";
import { day, type Milliseconds, type Moment, minute } from "../../../../client/rules/time.ts";
import { clockTolerance } from "../../../platform/time.ts";
import type { StoreTransaction } from "../../../store/open-store.ts";

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

/** The kinds of email that anybody can request for any address. */
export const requestedKinds = ["confirm", "alreadySubscribed", "preferences"] as const;
/** The shortest time between two requested emails to a mailbox, so that nobody can flood a stranger's address. */
const pause: Milliseconds = 15 * minute;
/** The limit of requested emails per mailbox. */
const mailsPerDay = 3;

/** The main domain of providers where the same name at several domains is the same mailbox. */
const mainDomains: Readonly<Record<string, string>> = {
  // https://support.google.com/mail/answer/10313
  "googlemail.com": "gmail.com",
  // https://support.apple.com/118230
  "me.com": "icloud.com",
  "mac.com": "icloud.com",
  // https://proton.me/support/addresses-and-aliases
  "protonmail.com": "proton.me",
  "protonmail.ch": "proton.me",
  "pm.me": "proton.me",
  // https://yandex.com/support/id/authorization/email.html
  "ya.ru": "yandex.com",
  "yandex.ru": "yandex.com",
  "yandex.com.tr": "yandex.com",
};

/**
 * Characters that a provider ignores in names: https://support.google.com/mail/answer/7436150,
 * https://proton.me/support/change-username
 */
const ignoredCharacters: Readonly<Record<string, RegExp>> = { "gmail.com": /\./g, "proton.me": /[._-]/g };

/**
 * A name in the domain: `shop@ada.fastmail.com` is the mailbox `ada@fastmail.com`:
 * https://www.fastmail.help/hc/en-us/articles/360060591053
 */
const nameInDomain = /^.+@([^.]+)\.(fastmail\.(?:com|fm))$/;

/**
 * Returns the mailbox behind an address, in lower case and without a tag: an email to `ada+shop@` arrives at `ada@`
 * (RFC 5233). It identifies the mailbox for limits; emails are sent to the address. It follows only the rules of
 * providers where a stranger can invent addresses. At Yahoo, for example, the owner must register tags, so they count
 * as part of the name.
 */
export function mailboxOf(address: string): string {
  const lower = address.toLowerCase().replace(nameInDomain, "$1@$2");
  const [, name = "", domain = ""] = /^(.[^+@]*)[^@]*@(.+)$/.exec(lower) ?? [];
  if (domain === "") return lower;
  const main = mainDomains[domain] ?? domain;
  return `${name.replace(ignoredCharacters[main] ?? "", "")}@${main}`;
}

/** Domains without mailboxes: https://www.rfc-editor.org/rfc/rfc2606 */
const reserved = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/;
/** The registrable part of a domain, with the common second levels of countries. */
const registrable = /[^.]+\.(?:(?:ac|co|com|edu|gov|gv|net|or|org)\.[a-z]{2}|[^.]+)$/;

/**
 * Returns the registrable domain of an address if all its mailboxes may belong to one person: at a domain with a
 * catch-all, a stranger can invent any number of addresses.
 * @returns undefined for the common providers, and for domains without mailboxes
 */
export function privateDomainOf(address: string): string | undefined {
  const domain = mailboxOf(address).split("@").at(-1) ?? "";
  return mailProviders.has(domain) || reserved.test(domain) ? undefined : (registrable.exec(domain)?.[0] ?? domain);
}

/** Returns the SQL condition that a column holds an address, in any capitalization. */
export function addressIs(column: string, email: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) = lower(${email})`;
}

/** Splits `Shop <news@shop.example>` into name and address. */
export function parseMailbox(mailbox: string): { name: string; address: string } {
  const [parsed] = addressparser(mailbox);
  return { name: parsed?.name ?? "", address: parsed?.address ?? "" };
}

/**
 * Locks mailboxes until the transaction ends, so that nobody else counts or queues emails to them. Always writes, and
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
 * Finds when addresses may get their next requested email: now, or later. Their mailboxes stay locked until the
 * transaction ends.
 * @returns a function from an address to that moment
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
    // Excludes emails of a clock that was ahead, which would delay others until that time is reached.
    .where(({ eb, or }) => or([eb("queuedAt", "is", null), eb("queuedAt", "<=", at + clockTolerance)]))
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
