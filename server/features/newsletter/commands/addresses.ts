import type { Command } from "commander";
import { isEmail, normalizeEmail } from "../../../../client/rules/email.ts";
import { StartError, UsageError } from "../../../platform/errors.ts";
import type { Run } from "../../../store/command.ts";
import { inTransaction } from "../../../store/open-store.ts";
import { eraseAddress } from "../embedded/erase-address.ts";
import { loadNewsletterKeys } from "../embedded/newsletter-keys.ts";
import { mailFolder } from "../mail/file-transport.ts";
import { createSuppression } from "../mail/suppression.ts";

/** Adds the commands that erase an address, or stop its email. */
export function addAddressCommands(program: Command, run: Run): void {
  program
    .command("erase <address>")
    .description("remove all data of an address")
    .option("--suppress", "send no more email to the address")
    .action(
      run(async ({ audit, env, keys, openStore, output }, address: string, { suppress }: { suppress?: boolean }) => {
        const email = addressOf(address);
        const store = await openStore();
        const erased = await eraseAddress(
          store.db,
          await loadNewsletterKeys(store.db, keys),
          email,
          mailFolder(env.dataDir),
          Date.now(),
          {
            suppress,
            hasReceiver: env.newsletterWebhook !== undefined,
            record: (transaction, counts) =>
              audit.record(transaction, { event: "data_erased", account: email, counts }),
          },
        );
        await output.show(erased);
        await store.eraseDeletedRows();
        // A typo must not pass for an erasure that the law requires.
        if (!suppress && Object.values(erased).every((count) => count === 0))
          throw new StartError([`nothing is stored about ${email}`]);
      }),
    );
  program
    .command("suppress <address>")
    .description("send an address no more email that anybody can request")
    .action(
      run(async ({ audit, keys, openStore, output }, address: string) => {
        const email = addressOf(address);
        const { db } = await openStore();
        const { suppress } = createSuppression(await loadNewsletterKeys(db, keys));
        const event = { event: "mailbox_suppressed", account: email } as const;
        await audit.change(db, event, (transaction) => suppress(transaction, email, Date.now()));
        await output.say(`${email} suppressed`);
      }),
    );
  program
    .command("unsuppress <address>")
    .description("send an address email again")
    .action(
      run(async ({ audit, keys, openStore, output }, address: string) => {
        const email = addressOf(address);
        const { db } = await openStore();
        const { unsuppress } = createSuppression(await loadNewsletterKeys(db, keys));
        const isTakenOff = await inTransaction(db, async (transaction) => {
          const found = await unsuppress(transaction, email);
          if (found) await audit.record(transaction, { event: "mailbox_unsuppressed", account: email });
          return found;
        });
        if (!isTakenOff) throw new StartError([`${email} isn't suppressed`]);
        await output.say(`${email} unsuppressed`);
      }),
    );
}

/** Normalizes an address. A typo in an erased or suppressed address couldn't be found later. */
function addressOf(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw new UsageError([`${text} isn't an email address`]);
  return email;
}
