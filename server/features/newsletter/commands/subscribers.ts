import type { Command } from "commander";
import type { SubscriberLine } from "../../../../schemas/types.ts";
import { UsageError } from "../../../platform/errors.ts";
import { parseTime, timeRule } from "../../../platform/time.ts";
import type { Run } from "../../../store/command.ts";
import { importLines, readJson } from "../../../store/import-lines.ts";
import { exportSubscribers } from "../embedded/export-subscribers.tsx";
import { mailboxKey } from "../embedded/import-decision.ts";
import { importSubscribers } from "../embedded/import-subscribers.ts";
import { loadNewsletterKeys } from "../embedded/newsletter-keys.ts";
import { type State, states } from "../embedded/newsletter-tables.ts";
import { fieldNames } from "../embedded/personal-fields.ts";
import { checkSite } from "./check-site.ts";
import { withoutFormula, writeCsvLine } from "./write-csv.ts";

type ExportOptions = Partial<Record<"site" | "since" | "status", string>> & { tokens?: boolean; proof?: boolean };

/** Adds the commands that export and import subscribers. */
export function addSubscriberCommands(subscribers: Command, run: Run): void {
  subscribers
    .command("export")
    .description("print subscribers as CSV, or with --json as one JSON object per line")
    .option("--site <site>", "export only those of one site")
    .option("--since <time>", "export only changes since a time, such as 2026-12-24T18:00:00Z")
    .option("--status <list>", `${states.join(", ")}; without it, confirmed`)
    .option("--tokens", "add the tokens of the links in newsletters")
    .option("--proof", "with --json, add the proof of consent, vouchers and the last opening")
    .action(
      run(async ({ env, keys, openStore, output }, options: ExportOptions) => {
        const { site, since, status = "confirmed", tokens, proof } = options;
        checkSite(site, env.sites);
        if (proof && !output.json) throw new UsageError(["--proof needs --json"]);
        const from = since === undefined ? undefined : parseTime(since);
        if (since !== undefined && from === undefined) throw new UsageError([`--since ${timeRule}`]);
        const filter = { site, since: from, statuses: readStatuses(status), proof };
        const { db } = await openStore();
        const names = tokens ? [...columns, ...tokenColumns] : columns;
        if (!output.json) await output.write(writeCsvLine(names));
        for await (const subscribers of exportSubscribers(db, filter, tokens ? keys : undefined)) {
          const lines = subscribers.map((subscriber) =>
            output.json
              ? `${JSON.stringify(subscriber)}\n`
              : writeCsvLine(
                  names.map((name) => (isToken(name) ? subscriber[name] : withoutFormula(subscriber[name]))),
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
      run(async ({ audit, env, keys, openStore, output }, file: string, { note }: { note?: string }) => {
        const { db } = await openStore();
        const context = {
          keys: await loadNewsletterKeys(db, keys),
          sites: env.sites,
          note,
          hasReceiver: env.newsletterWebhook !== undefined,
        };
        await importLines<SubscriberLine>(file, output, {
          read: readJson("subscriber-line"),
          keyOf: mailboxKey,
          store: (lines) => importSubscribers(db, lines, context, Date.now()),
          record: audit.progress(db, { event: "data_imported", subject: "subscribers" }),
        });
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

The webhook hears only of subscriptions that end. With \`token\` and \`preferencesToken\` (export --tokens), links in
newsletters stay valid.
Faulty lines, such as those with a time in the future, are named on standard error, the first 100 faults of all. The
others are imported, and the exit code is 1.`;

/** The columns of the export, in their order. */
const columns = [
  ...(["id", "site", "email", "status"] as const),
  ...fieldNames,
  ...(["signedUpAt", "confirmedAt", "changedAt", "sendingStoppedAt"] as const),
];

/** CSV leaves these unchanged, although a token may begin with a hyphen. */
const tokenColumns = ["token", "preferencesToken"] as const;

function isToken(name: string): name is (typeof tokenColumns)[number] {
  return tokenColumns.some((token) => token === name);
}

function readStatuses(list: string): State[] {
  const named = list.split(",");
  const statuses = states.filter((state) => named.includes(state));
  if (statuses.length < named.length) throw new UsageError([`--status must be some of ${states.join(",")}`]);
  return statuses;
}
