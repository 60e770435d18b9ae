import type { Command } from "commander";
import { toIso, toIsoOrNull } from "../../../platform/time.ts";
import type { Validation } from "../../../platform/validate.ts";
import type { Run } from "../../../store/command.ts";
import { importLines } from "../../../store/import-lines.ts";
import { findCodeFaults, importCodes } from "../embedded/voucher-codes.ts";
import { checkSite } from "./check-site.ts";

/** Adds the commands for the voucher codes that subscribers get. */
export function addVoucherCommands(vouchers: Command, run: Run): void {
  vouchers
    .command("list")
    .description("list the voucher codes that subscribers got, the earliest first")
    .option("--site <site>", "list only those of one site")
    .action(
      run(async ({ env, openStore, output }, { site }: { site?: string }) => {
        checkSite(site, env.sites);
        const { db } = await openStore();
        const rows = await db
          .selectFrom("voucher")
          .select(["code", "site", "discount", "singleUse", "issuedAt", "validUntil"])
          .$if(site !== undefined, (query) => query.where("site", "=", String(site)))
          .orderBy("issuedAt")
          .orderBy("code")
          .execute();
        await output.list(
          rows.map(({ singleUse, issuedAt, validUntil, ...voucher }) => ({
            ...voucher,
            singleUse: singleUse === 1,
            issuedAt: toIso(issuedAt),
            validUntil: toIsoOrNull(validUntil),
          })),
        );
      }),
    );
  vouchers
    .command("import <file>")
    .description("add the codes of the till that subscribers of a site get")
    .requiredOption("--site <site>", "the site whose subscribers get them")
    .addHelpText("after", importHelp)
    .action(
      run(async ({ audit, env, loadSites, logger, openStore, output }, file: string, { site }: { site: string }) => {
        checkSite(site, env.sites);
        const country = (await loadSites()).find((one) => one.site === site);
        if (country?.newsletter.voucher?.codes !== "imported")
          logger.warn(
            { file: country?.file, field: "/newsletter/voucher/codes" },
            "the country doesn't use imported codes yet",
          );
        const { db } = await openStore();
        await importLines<string>(file, output, {
          read: createCodeReader(),
          counted: ["added", "unchanged"],
          keyOf: (code) => code,
          store: (codes) => importCodes(db, site, codes, Date.now()),
          record: audit.progress(db, { event: "data_imported", subject: "vouchers", site }),
        });
      }),
    );
}

const importHelp = `
<file> has a code per line, without a heading; - is standard input. A code has up to 64 letters, digits, - and _.

added      was unknown here: the next confirmed subscriber gets it, or the one whose welcome email waits the longest
unchanged  is here already, left or taken: after an interruption, import again

Faulty lines are named on standard error: empty ones, those that repeat an earlier line, those that are no code, and
codes of another site. The others are imported, and the exit code is 1.`;

/** Creates the function that reads the lines of a file of codes. */
function createCodeReader() {
  const lines = new Map<string, number>();
  return (text: string, number: number): Validation<string> => {
    const code = text.trim();
    const first = lines.get(code);
    const faults = first === undefined ? findCodeFaults(code) : [`is the same code as line ${first}`];
    if (faults.length > 0) return { valid: false, faults };
    lines.set(code, number);
    return { valid: true, data: code };
  };
}
