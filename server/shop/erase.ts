import { normalizeEmail } from "../../client/rules/email.ts";
import type { Moment } from "../../client/rules/time.ts";
import { eraseCustomer } from "./login/erase-customer.ts";
import { eraseMailFiles } from "./mail/erase-mail-files.ts";
import { eraseMails } from "./mail/erase-mails.ts";
import type { Suppression } from "./mail/suppression.ts";
import { eraseSubscriptions } from "./newsletter/erase-subscriptions.ts";
import { inTransaction } from "./store/in-transaction.ts";
import type { Database } from "./store/open-store.ts";

/** How much there was of an address. */
export interface Erased {
  subscriptions: number;
  /** Mails in the outbox. */
  mails: number;
  /** Files of mails. */
  mailFiles: number;
  /** Accounts of customers. */
  accounts: number;
  /** Consents and ends of consents that are kept until the register is told of them. */
  keptForRegister: number;
  /** Subscriptions whose address is kept until the newsletter's receiver is told to erase it, too. */
  keptForReceiver: number;
}

interface EraseOptions {
  /** Given where no sign-up is ever to lead to a mail to the address again. */
  suppression?: Suppression | undefined;
  /** Whether somebody is told of the newsletter's events. */
  hasReceiver?: boolean;
}

/**
 * Removes all that is known of an address, however its capitals are written: subscriptions of every site with their
 * proof and vouchers, mails, and the customer's account with its sessions. What a register or the newsletter's receiver
 * has yet to know is kept.
 * @param mailFolder - the folder of the mails that were written to files
 * @throws UnavailableError when the store can't take the change
 */
export async function erase(
  db: Database,
  address: string,
  mailFolder: string,
  at: Moment,
  { suppression, hasReceiver = false }: EraseOptions = {},
): Promise<Erased> {
  const email = normalizeEmail(address);
  const { mails, accounts, ...subscriptions } = await inTransaction(db, async (transaction) => {
    await suppression?.suppress(transaction, email, at);
    return {
      mails: await eraseMails(transaction, email),
      accounts: await eraseCustomer(transaction, email),
      ...(await eraseSubscriptions(transaction, email, at, hasReceiver)),
    };
  });
  return { mails, mailFiles: await eraseMailFiles(mailFolder, email), accounts, ...subscriptions };
}
