import type { Command } from "commander";
import { toIso, toIsoOrNull } from "../../../platform/time.ts";
import type { Run } from "../../../store/command.ts";
import { checkSite } from "./check-site.ts";

/** Adds the command that lists the voucher codes a checkout must know. */
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
}
