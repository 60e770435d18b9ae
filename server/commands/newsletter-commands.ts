import { isEmail, normalizeEmail } from "../../client/rules/email.ts";
import { StartError } from "../errors.ts";
import { erase } from "../shop/erase.ts";
import { mailFolder } from "../shop/mail/create-mail-transport.ts";
import { openSuppression } from "../shop/mail/suppression.ts";
import { renderConsentPage } from "../shop/newsletter/consent-page.tsx";
import { exportConsent } from "../shop/newsletter/export-consent.ts";
import { exportToIys } from "../shop/newsletter/export-to-iys.ts";
import { inTransaction } from "../shop/store/in-transaction.ts";
import { checkSite } from "./check-site.ts";
import { defineCommand } from "./command.ts";

/** What is done about subscribers and who gets mail. */
export const newsletterCommands = [
  defineCommand({
    name: "consent export",
    argument: "<address>",
    options: {
      site: { type: "string", value: "<site>", does: "exports those of one site" },
      html: { type: "boolean", does: "prints a page in place of JSON" },
    },
    does: "prints the proof of every consent of an address",
    async run({ openStore, output, sites }, address, { site, html }) {
      checkSite(site, sites);
      const exported = await exportConsent((await openStore()).db, address, site);
      await (html ? output.write(`${renderConsentPage(exported)}\n`) : output.show(exported));
    },
  }),
  defineCommand({
    name: "erase",
    argument: "<address>",
    options: { suppress: { type: "boolean", does: "lets no mail go to the address any more" } },
    does: "removes all that is known of an address",
    async run({ env, openStore, output }, address, { suppress }) {
      const store = await openStore();
      const suppression = suppress ? await openSuppression(store.db) : undefined;
      if (suppress) addressOf(address);
      const hasReceiver = env.newsletterWebhook !== undefined;
      await output.show(await erase(store.db, address, mailFolder(env), Date.now(), { suppression, hasReceiver }));
      await store.forgetDeleted();
    },
  }),
  defineCommand({
    name: "suppress",
    argument: "<address>",
    does: "lets no mail go to an address any more that anybody can ask for",
    async run({ openStore, output }, address) {
      const email = addressOf(address);
      const { db } = await openStore();
      const { suppress } = await openSuppression(db);
      await inTransaction(db, (transaction) => suppress(transaction, email, Date.now()));
      await output.say(`${email} suppressed`);
    },
  }),
  defineCommand({
    name: "unsuppress",
    argument: "<address>",
    does: "lets mail go to an address again",
    async run({ openStore, output }, address) {
      const email = addressOf(address);
      const { db } = await openStore();
      const { unsuppress } = await openSuppression(db);
      if (!(await unsuppress(db, email))) throw new StartError([`${email} isn't suppressed`]);
      await output.say(`${email} unsuppressed`);
    },
  }),
  defineCommand({
    name: "iys export",
    does: "prints the consents that Turkey's register doesn't have yet, and marks them as exported",
    async run({ openStore, output }) {
      const store = await openStore();
      const { entries, markExported } = await exportToIys(store.db);
      await output.show(entries);
      await markExported(Date.now());
      await store.forgetDeleted();
    },
  }),
];

/** The one spelling of an address, of which no trace is left by which a mistake could be found. */
function addressOf(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw new StartError([`${text} is no address`]);
  return email;
}
