import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { loadShop } from "../context.ts";
import { listFiles } from "../features/asset-archive/index.ts";
import { listSharedContents } from "../features/newsletter/index.ts";
import { refuseFaults } from "../platform/errors.ts";
import type { Run } from "../store/command.ts";

/** Adds the command that writes the browser's files to a folder, for a service without a store and for CDNs. */
export function assetCommands(program: Command, run: Run): void {
  program
    .command("assets")
    .command("export <folder>")
    .description("write the files below /assets/ to a folder, beside those of earlier versions")
    .action(
      run(async ({ env, logger, output }, folder: string) => {
        const { shop, faults } = await loadShop(env, logger, env.port);
        refuseFaults(faults);
        const files = await listFiles(shop.assets, listSharedContents(shop));
        await mkdir(folder, { recursive: true });
        for (const [name, read] of files) await writeFile(join(folder, name), await read());
        await output.say(`${files.size} files written to ${folder}`);
      }),
    );
}
