import type { Command } from "commander";
import { isEmail, normalizeEmail } from "../../../client/rules/email.ts";
import type { SubscriberLine } from "../../../schemas/types.ts";
import { StartError } from "../../platform/errors.ts";
import { parseTime, timeRule } from "../../platform/time.ts";
import type { Run } from "../../store/command.ts";
import { importLines } from "../../store/import-lines.ts";
import { inTransaction } from "../../store/open-store.ts";
import { exportToIys } from "./embedded/consent-records.ts";
import { exportConsent, exportSubscribers, renderConsentPage } from "./embedded/export-subscribers.tsx";
import { mailboxKey } from "./embedded/import-decision.ts";
import { importSubscribers } from "./embedded/import-subscribers.ts";
import { type State, states } from "./embedded/newsletter-tables.ts";
import { fieldNames } from "./embedded/personal-fields.ts";
import { eraseAddress } from "./erase-address.ts";
import { mailFolder } from "./mail/mail-transport.ts";
import { dropMail, listMails, mailStates, retryMails } from "./mail/outbox.ts";
import { createSuppression } from "./mail/suppression.ts";
import { loadNewsletterKeys } from "./newsletter-keys.ts";

type ExportOptions = Partial<Record<"site" | "since" | "status", string>> & { tokens?: boolean; proof?: boolean };

/** Adds the commands for subscribers, consents and mails. */
export function newsletterCommands(program: Command, run: Run): void {
  addSubscriberCommands(program, run);
  addMailCommands(program.command("mails"), run);
}

function addSubscriberCommands(program: Command, run: Run): void {
  program
    .command("consent")
    .command("export <address>")
    .description("print every proof of consent of an address")
    .option("--site <site>", "export only those of one site")
    .option("--html", "print an HTML page instead of JSON")
    .action(
      run(async ({ env, openStore, output }, address: string, { site, html }: { site?: string; html?: boolean }) => {
        checkSite(site, env.sites);
        const exported = await exportConsent((await openStore()).db, address, site);
        await (html ? output.write(`${renderConsentPage(exported)}\n`) : output.show(exported));
      }),
    );
  const subscribers = program.command("subscribers");
  subscribers
    .command("export")
    .description("print subscribers as CSV, or with --json as one JSON object per line")
    .option("--site <site>", "export only those of one site")
    .option("--since <time>", "export only changes since a time, such as 2026-12-24T18:00:00Z")
    .option("--status <list>", `${states.join(", ")}; without it, confirmed`)
    .option("--tokens", "add the tokens that report openings and end subscriptions")
    .option("--proof", "with --json, add the proof of consent, vouchers and the last opening")
    .action(
      run(async ({ env, keys, openStore, output }, options: ExportOptions) => {
        const { site, since, status = "confirmed", tokens, proof } = options;
        checkSite(site, env.sites);
        if (proof && !output.json) throw new StartError(["--proof needs --json"]);
        const from = since === undefined ? undefined : parseTime(since);
        if (since !== undefined && from === undefined) throw new StartError([`--since ${timeRule}`]);
        const filter = { site, since: from, statuses: readStatuses(status), proof };
        const { db } = await openStore();
        const names = tokens ? [...columns, "token" as const] : columns;
        if (!output.json) await output.write(writeCsvLine(names));
        for await (const subscribers of exportSubscribers(db, filter, tokens ? keys : undefined)) {
          const lines = subscribers.map((subscriber) =>
            output.json
              ? `${JSON.stringify(subscriber)}\n`
              : writeCsvLine(
                  names.map((name) => (name === "token" ? subscriber.token : withoutFormula(subscriber[name]))),
                ),
          );
          await output.write(lines.join(""));
        }
      }),
    );
  subscribers
    .command("import <file>")
    .description("add subscribers from such lines, without sending email")
    .option("--note <text>", "where the consents come from, for the proof of those imported without one")
    .addHelpText("after", importHelp)
    .action(
      run(async ({ env, keys, openStore, output }, file: string, { note }: { note?: string }) => {
        const { db } = await openStore();
        const context = {
          keys: await loadNewsletterKeys(db, keys),
          sites: env.sites,
          note,
          hasReceiver: env.newsletterWebhook !== undefined,
        };
        await importLines<SubscriberLine>(file, output, {
          schema: "subscriber-line",
          keyOf: mailboxKey,
          store: (lines) => importSubscribers(db, lines, context, Date.now()),
        });
      }),
    );
  program
    .command("erase <address>")
    .description("remove all data of an address")
    .option("--suppress", "send no more email to the address")
    .action(
      run(async ({ env, keys, openStore, output }, address: string, { suppress }: { suppress?: boolean }) => {
        const store = await openStore();
        if (suppress) addressOf(address);
        const options = { suppress, hasReceiver: env.newsletterWebhook !== undefined };
        await output.show(
          await eraseAddress(
            store.db,
            await loadNewsletterKeys(store.db, keys),
            address,
            mailFolder(env.dataDir),
            Date.now(),
            options,
          ),
        );
        await store.forgetDeleted();
      }),
    );
  program
    .command("suppress <address>")
    .description("send an address no more email that anybody can request")
    .action(
      run(async ({ keys, openStore, output }, address: string) => {
        const email = addressOf(address);
        const { db } = await openStore();
        const { suppress } = createSuppression(await loadNewsletterKeys(db, keys));
        await inTransaction(db, (transaction) => suppress(transaction, email, Date.now()));
        await output.say(`${email} suppressed`);
      }),
    );
  program
    .command("unsuppress <address>")
    .description("send an address email again")
    .action(
      run(async ({ keys, openStore, output }, address: string) => {
        const email = addressOf(address);
        const { db } = await openStore();
        const { unsuppress } = createSuppression(await loadNewsletterKeys(db, keys));
        if (!(await unsuppress(db, email))) throw new StartError([`${email} isn't suppressed`]);
        await output.say(`${email} unsuppressed`);
      }),
    );
  program
    .command("iys")
    .command("export")
    .description("print the consents that Turkey's register doesn't have yet, and mark them as exported")
    .action(
      run(async ({ openStore, output }) => {
        const store = await openStore();
        const { entries, markExported } = await exportToIys(store.db);
        await output.show(entries);
        await markExported(Date.now());
        await store.forgetDeleted();
      }),
    );
}

function addMailCommands(mails: Command, run: Run): void {
  mails
    .command("list")
    .description("list emails that wait or have failed")
    .option("--state <state>", `${mailStates.join(" or ")}; without it, both`)
    .action(
      run(async ({ openStore, output }, { state }: { state?: string }) => {
        const wanted = mailStates.find((known) => known === state);
        if (state !== undefined && !wanted) throw new StartError([`--state must be ${mailStates.join(" or ")}`]);
        await output.list(await listMails((await openStore()).db, wanted));
      }),
    );
  mails
    .command("retry <id>")
    .description("send a waiting or failed email within ten seconds")
    .action(
      run(async ({ openStore, output }, id: string) => {
        const { db } = await openStore();
        if ((await retryMails(db, Date.now(), id)) === 0) throw new StartError([`there is no mail ${id} to send`]);
        await output.say(`${id} is sent within ten seconds`);
      }),
    );
  mails
    .command("retry-all")
    .description("send all failed emails again")
    .action(
      run(async ({ openStore, output }) => {
        const count = await retryMails((await openStore()).db, Date.now());
        await output.say(`${count} mails are tried again`);
      }),
    );
  mails
    .command("drop <id>")
    .description("delete an email without sending it")
    .action(
      run(async ({ openStore, output }, id: string) => {
        const { db } = await openStore();
        if (!(await dropMail(db, Date.now(), id)))
          throw new StartError([`there is no mail ${id} that waits or was given up`]);
        await output.say(`${id} dropped`);
      }),
    );
}

const importHelp = `
<file> has a JSON object by schemas/subscriber-line.schema.json per line; - is standard input. An example:
  {"site":"DE","email":"ada@shop.example","status":"confirmed","confirmedAt":"2025-03-01T10:00:00Z","consents":["NEWSLETTER"]}

added      was unknown here. Without \`records\` (export --proof), its proof says that it was imported.
changed    is now confirmed here, as the line's consent is the mailbox's latest word on the site; or has ended here, or
           its end is noted, as its withdrawal is
unchanged  is here already, and stays as it is: after an interruption, import again
refused    isn't confirmed, as its link is the other service's; or is suppressed here; or has ended its newsletter here
           since the consent, under any address of the mailbox. The first 100 lines are named with their reason

The webhook hears only of subscriptions that end. With \`token\` (export --tokens), links in newsletters stay valid.
Faulty lines, such as those with a time in the future, are named on standard error, the first 100 faults of all. The
others are imported, and the exit code is 1.`;

/** The columns of the export, in their order. */
const columns = [
  ...(["id", "site", "email", "status"] as const),
  ...fieldNames,
  ...(["signedUpAt", "confirmedAt", "changedAt", "sendingStoppedAt"] as const),
];

/** Writes a line of CSV: https://www.rfc-editor.org/rfc/rfc4180 */
function writeCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(value: unknown): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before a text that a spreadsheet would take for a formula, as anybody can sign up with such a name:
 * https://owasp.org/www-community/attacks/CSV_Injection. Tokens stay as they are, although some begin with a hyphen.
 */
function withoutFormula(value: unknown): string {
  const text = String(value ?? "");
  return /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
}

function checkSite(site: string | undefined, sites: readonly string[]): void {
  if (site !== undefined && !sites.includes(site)) throw new StartError([`there is no site ${site}`]);
}

function readStatuses(list: string): State[] {
  const named = list.split(",");
  const statuses = states.filter((state) => named.includes(state));
  if (statuses.length < named.length) throw new StartError([`--status must be some of ${states.join(",")}`]);
  return statuses;
}

/** Normalizes an address. After it is erased or suppressed, a typo could no longer be found. */
function addressOf(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw new StartError([`${text} isn't an email address`]);
  return email;
}
