import { isEmail, normalizeEmail } from "../../client/rules/email.ts";
import type { Moment } from "../../client/rules/time.ts";
import { StartError } from "../errors.ts";
import { parseTime, timeRule } from "../parse-time.ts";
import { erase } from "../shop/erase.ts";
import { mailFolder } from "../shop/mail/create-mail-transport.ts";
import { openSuppression } from "../shop/mail/suppression.ts";
import { renderConsentPage } from "../shop/newsletter/consent-page.tsx";
import { exportConsent } from "../shop/newsletter/export-consent.ts";
import { type ExportedSubscriber, exportSubscribers } from "../shop/newsletter/export-subscribers.ts";
import { exportToIys } from "../shop/newsletter/export-to-iys.ts";
import { type State, states } from "../shop/newsletter/states.ts";
import { inTransaction } from "../shop/store/in-transaction.ts";
import { checkSite } from "./check-site.ts";
import { defineCommand } from "./command.ts";
import { writeCsvLine } from "./write-csv.ts";

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
    async run({ env, openStore, output }, address, { site, html }) {
      checkSite(site, env.sites);
      const exported = await exportConsent((await openStore()).db, address, site);
      await (html ? output.write(`${renderConsentPage(exported)}\n`) : output.show(exported));
    },
  }),
  defineCommand({
    name: "subscribers export",
    options: {
      site: { type: "string", value: "<site>", does: "exports those of one site" },
      since: {
        type: "string",
        value: "<time>",
        does: "exports what has changed since a time, such as 2026-12-24T18:00:00Z",
      },
      status: { type: "string", value: "<list>", does: `${states.join(", ")}; without it, confirmed` },
      tokens: { type: "boolean", does: "adds the tokens that report openings and end subscriptions" },
    },
    does: "prints subscribers as CSV, or with --json an object of JSON per line",
    async run({ env, openStore, output, progress }, _none, { site, since, status = "confirmed", tokens = false }) {
      checkSite(site, env.sites);
      const filter = { site, since: readSince(since), statuses: readStatuses(status) };
      const { db } = await openStore();
      let count = 0;
      const names = tokens ? [...columns, "token" as const] : columns;
      if (!output.json) await output.write(writeCsvLine(names));
      for await (const subscribers of exportSubscribers(db, filter, tokens)) {
        const write = (subscriber: ExportedSubscriber) =>
          output.json ? `${JSON.stringify(subscriber)}\n` : writeCsvLine(names.map((name) => subscriber[name]));
        await output.write(subscribers.map(write).join(""));
        count += subscribers.length;
        progress.report(`${count} subscribers`);
      }
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

/** The columns of the export, in their order. */
const columns = [
  ...(["id", "site", "email", "status", "salutation", "firstName", "lastName", "consents", "categories"] as const),
  ...(["origin", "originAddition", "signedUpAt", "confirmedAt", "changedAt", "sendingStoppedAt"] as const),
];

function readSince(text: string | undefined): Moment | undefined {
  const since = text === undefined ? undefined : parseTime(text);
  if (text !== undefined && since === undefined) throw new StartError([`--since ${timeRule}`]);
  return since;
}

function readStatuses(list: string): State[] {
  const named = list.split(",");
  const statuses = states.filter((state) => named.includes(state));
  if (statuses.length < named.length) throw new StartError([`--status must be some of ${states.join(",")}`]);
  return statuses;
}

/** The one spelling of an address, of which no trace is left by which a mistake could be found. */
function addressOf(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw new StartError([`${text} is no address`]);
  return email;
}
