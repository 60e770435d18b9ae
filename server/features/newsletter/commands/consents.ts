import type { Command } from "commander";
import type { Run } from "../../../store/command.ts";
import { exportToIys } from "../embedded/consent-records.ts";
import { exportConsent, renderConsentPage } from "../embedded/export-subscribers.tsx";
import { checkSite } from "./check-site.ts";

/** Adds the commands that print proofs of consent. */
export function addConsentCommands(program: Command, run: Run): void {
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
        await store.eraseDeletedRows();
      }),
    );
}
