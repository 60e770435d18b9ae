import { type Selectable, type SqlBool, sql } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import { toIso } from "../../../platform/time.ts";
import { batchCalls } from "../../../store/batch-calls.ts";
import type { Database } from "../../../store/open-store.ts";
import { createQueue, type Leased, type QueueColumns } from "../../../store/queue.ts";
import type { Tables } from "../../../store/tables.ts";
import { mailboxOf } from "./mailboxes.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    mailOutbox: MailOutboxTable;
  }
}

/** The id is also part of the Message-ID, which is the same at every attempt. */
interface MailOutboxTable extends QueueColumns {
  kind: MailKind;
  site: string;
  recipient: string;
  /** The recipient's mailbox, for limits. */
  mailbox: string;
  /** The data of the email's kind, as JSON; `{}` once they are deleted. */
  data: string;
  state: "queued" | "sent" | "failed";
  sentAt: Moment | null;
  /** When the email was queued; `createdAt` is when it is first due. Null if an earlier release has queued it. */
  queuedAt: Moment | null;
}

export interface Voucher {
  code: string;
  /** Discount in percent. */
  discount: number;
  singleUse: boolean;
  /** The moment at which the voucher expires; null if it never does. */
  validUntil: Moment | null;
}

/** The tokens of the links in every email. */
interface LinkTokens {
  unsubscribeToken: string;
  /** Opens the subscriber's page. Undefined if an earlier release has queued the email. */
  preferencesToken?: string;
}

/** The data of each kind of email. Only here are tokens stored in plain text, until the email is sent. */
export interface MailData {
  /** Asks for confirmation of a sign-up. */
  confirm: LinkTokens & { subscriberToken: string };
  /** Follows the confirmation. Has no voucher if the subscriber's has expired. */
  welcome: LinkTokens & { voucher?: Voucher };
  /** Informs subscribers that somebody has signed up their address again. */
  alreadySubscribed: LinkTokens;
  /** Brings the link to the subscriber's page to somebody who has asked for it. */
  preferences: LinkTokens;
}

export type MailKind = keyof MailData;

interface Mail {
  id: string;
  kind: MailKind;
  site: string;
  recipient: string;
  data: MailData[MailKind];
  /** When the mail is due. */
  at: Moment;
  /** When it is queued. Default: when it is due. */
  queuedAt?: Moment;
}

export type QueuedMail = Selectable<Tables["mailOutbox"]>;
export type LeasedMail = Leased<"mailOutbox">;

export type Outbox = ReturnType<typeof createOutbox>;

/** Creates the queue of emails. */
export function createOutbox(db: Database) {
  const recordEnd = batchCalls({ keyOf: ({ mail }: Ended) => mail.id, work: (ended) => recordEnds(db, ended) });
  return {
    ...createQueue(db, "mailOutbox", {
      waits: (alias) => sql<SqlBool>`${sql.ref(`${alias}.state`)} = 'queued'`,
      queuedAt: "queuedAt",
    }),

    /**
     * Records the end of a leased email, unless its lease has passed to another worker. Ends at the same time share a
     * statement, and so a commit.
     */
    end: (mail: LeasedMail, outcome: Outcome, at: Moment): Promise<void> => recordEnd({ mail, outcome, at }),
  };
}

type Outcome = "sent" | "failed" | "bounced";

interface Ended {
  mail: LeasedMail;
  outcome: Outcome;
  at: Moment;
}

/**
 * Records the ends of emails. Deletes their data, which contain tokens, unless an operator may retry the email.
 * @returns nothing for each of them
 */
async function recordEnds(db: Database, ended: readonly Ended[]): Promise<undefined[]> {
  const alike = Map.groupBy(ended, ({ mail, outcome }) => `${outcome} ${mail.leasedUntil}`);
  for (const together of alike.values()) {
    const [first] = together;
    if (!first) continue;
    const { mail, outcome } = first;
    await db
      .updateTable("mailOutbox")
      .set({
        state: outcome === "sent" ? "sent" : "failed",
        ...(outcome !== "failed" && { data: "{}" }),
        leasedUntil: null,
        sentAt: outcome === "sent" ? Math.max(...together.map(({ at }) => at)) : null,
      })
      .where(
        "id",
        "in",
        together.map(({ mail }) => mail.id),
      )
      .where("leasedUntil", "=", mail.leasedUntil)
      .execute();
  }
  return ended.map(() => undefined);
}

/** Adds emails to the outbox. They are sent once the transaction is committed and they are due. */
export async function enqueueMails(transaction: Database, mails: readonly Mail[]): Promise<void> {
  const rows = mails.map(({ data, at, queuedAt = at, ...mail }) => ({
    ...mail,
    mailbox: mailboxOf(mail.recipient),
    data: JSON.stringify(data),
    state: "queued" as const,
    attempts: 0,
    nextAttemptAt: at,
    leasedUntil: null,
    createdAt: at,
    sentAt: null,
    queuedAt,
  }));
  await transaction.insertInto("mailOutbox").values(rows).execute();
}

/** The states of unsent mails, as operators see them. */
export const mailStates = ["waiting", "failed"] as const;

/**
 * Lists the unsent emails, oldest first, without their data, which contain tokens.
 * @param wanted - the state of the emails; undefined for both
 */
export async function listMails(db: Database, wanted?: (typeof mailStates)[number]) {
  const rows = await db
    .selectFrom("mailOutbox")
    .select(["id", "kind", "site", "recipient", "state", "attempts", "createdAt", "nextAttemptAt"])
    .where("state", "in", ["queued", "failed"])
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows
    .map(({ state, attempts, createdAt, nextAttemptAt, ...mail }) => ({
      ...mail,
      state: state === "queued" ? "waiting" : state,
      attempts,
      createdAt: toIso(createdAt),
      nextAttemptAt: state === "queued" ? toIso(nextAttemptAt) : null,
    }))
    .filter(({ state }) => wanted === undefined || state === wanted);
}

/**
 * Makes a queued or failed email due now, or all failed ones. Skips emails without data, which bounced or were
 * suppressed.
 * @param id - undefined for all failed emails
 * @returns the number of emails
 */
export async function retryMails(db: Database, at: Moment, id?: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("mailOutbox")
    .set({ state: "queued", nextAttemptAt: at })
    .where("data", "<>", "{}")
    .$call((query) => (id === undefined ? query.where("state", "=", "failed") : query.where("id", "=", id)))
    .where("state", "in", ["queued", "failed"])
    .where(isNotLeased(at))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Fails an email for good, unless it is being sent.
 * @returns whether it did
 */
export async function dropMail(db: Database, at: Moment, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mailOutbox")
    .set({ state: "failed", data: "{}", leasedUntil: null })
    .where("id", "=", id)
    .where("state", "in", ["queued", "failed"])
    .where(isNotLeased(at))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function isNotLeased(at: Moment) {
  return sql<boolean>`(${sql.ref("leasedUntil")} is null or ${sql.ref("leasedUntil")} <= ${at})`;
}
