import type { Command } from "commander";
import { checkEnv } from "../config/env.ts";
import { loadShop } from "../context.ts";
import { StartError } from "../platform/errors.ts";
import { parseFault, withoutFollowing } from "../platform/faults.ts";
import { openLog } from "../platform/logger.ts";
import { findStartFaults } from "../process/production-checks.ts";
import { findGaps } from "../sites/find-gaps.ts";
import { createOutput } from "../store/command.ts";

const description =
  "list all faults and gaps of shop and environment, with NODE_ENV=production also what only production refuses; fails if there are any";

/** Adds the command that checks the shop as a start does. It reads a wrong environment, too, so that it can report it. */
export function checkCommand(program: Command): void {
  program
    .command("check")
    .description(description)
    .action(async ({ json = false }: { json?: boolean }) => {
      const checked = checkEnv(process.env);
      const { env } = checked;
      const logger = await openLog({ level: env.logLevel, service: env.serviceName }, env.production, "stderr");
      const loaded = await loadShop(env, logger, env.port);
      const faults = groupByFile(findStartFaults(checked, loaded));
      const gaps = groupByFile(withoutFollowing(findGaps(loaded.drafts, loaded.shop.texts), faults));
      const output = createOutput(process.stdout, json);
      if (json) {
        const read = (kind: string) => (line: string) => ({ kind, ...parseFault(line, env.shopFolder.files.keys()) });
        await output.show([...faults.map(read("fault")), ...gaps.map(read("gap"))]);
      }
      if (faults.length + gaps.length > 0) {
        const sum = `faults: ${faults.length}, gaps: ${gaps.length}. Faults prevent a start, gaps don't.`;
        throw new StartError(json ? [sum] : [...faults, ...gaps, sum]);
      }
      if (!json) await output.say(`no faults, no gaps${env.production ? ", and ready for production" : ""}`);
    });
}

/** Sorts lines so that those about one file stand together. */
function groupByFile(lines: readonly string[]): string[] {
  return [...Map.groupBy(lines, (line) => parseFault(line).file).values()].flat();
}
