import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import type { StoreTransaction } from "../../../store/open-store.ts";
import { enqueueMails, type MailKind, type Voucher } from "../mail/outbox.ts";
import type { TokenTable } from "./newsletter-tables.ts";
import type { Subscription } from "./subscriptions.ts";
import { createToken, hashToken } from "./tokens.ts";

/** A mail about a subscription. */
interface NewMail {
  kind: MailKind;
  subscription: Subscription;
  /** When the mail is due. */
  at: Moment;
  /** When it is queued. Default: when it is due. */
  queuedAt?: Moment;
  /** Until when its link confirms the sign-up. Only for emails that ask for confirmation. */
  confirmBy?: Moment;
  voucher?: Voucher | undefined;
}

/**
 * Queues mails, in as many statements for several as for one, and stores the hashes of their tokens.
 * @returns the ids of the mails, in order
 */
export async function queueMails(transaction: StoreTransaction, mails: readonly NewMail[]): Promise<string[]> {
  const tokens: Insertable<TokenTable>[] = [];
  const queued = mails.map(({ kind, subscription, at, queuedAt = at, confirmBy, voucher }) => {
    const { id: subscriptionId, site, email: recipient } = subscription;
    const id = randomUUID();
    const addToken = (what: Pick<TokenTable, "purpose"> & Partial<Pick<TokenTable, "canChange" | "expiresAt">>) => {
      const token = createToken();
      const row = { mailId: id, canChange: 0, expiresAt: null, usedAt: null, resentAt: null };
      tokens.push({ hash: hashToken(token), subscriptionId, ...row, ...what });
      return token;
    };
    const data = {
      ...(confirmBy !== undefined && {
        subscriberToken: addToken({ purpose: "subscriber", expiresAt: confirmBy }),
      }),
      unsubscribeToken: addToken({ purpose: "unsubscribe" }),
      preferencesToken: addToken({ purpose: "unsubscribe", canChange: 1 }),
      ...(voucher && { voucher }),
    };
    return { id, kind, site, recipient, data, at, queuedAt };
  });
  await transaction.insertInto("newsletterToken").values(tokens).execute();
  await enqueueMails(transaction, queued);
  return queued.map(({ id }) => id);
}
