import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Command } from "commander";
import type { Drawings } from "../brand/load-images.ts";
import { siteOf } from "../config/country-files.ts";
import { checkEnv, type Env } from "../config/env.ts";
import { loadShop } from "../context.ts";
import { listFiles } from "../features/asset-archive/index.ts";
import { listSharedContents } from "../features/newsletter/index.ts";
import { StartError, throwFaults, UsageError } from "../platform/errors.ts";
import { dropConsequentialFaults, parseFault } from "../platform/faults.ts";
import { type LocatedFault, locateFaults, writeLocated } from "../platform/locate-faults.ts";
import { openLog } from "../platform/logger.ts";
import { referenceLocale } from "../platform/own-texts.ts";
import { isBuilt, root } from "../platform/paths.ts";
import { findShop } from "../platform/shop-folder.ts";
import type { Texts } from "../platform/texts.ts";
import { findStartFaults } from "../process/start-faults.ts";
import { readCountries, type Site } from "../sites/countries.ts";
import { findGaps } from "../sites/find-gaps.ts";
import { footerTextLocale } from "../sites/site.ts";
import { writeCountry } from "../sites/write-country.ts";
import { createOutput, type Run } from "../store/command.ts";
import { listShopTexts } from "./list-texts.ts";

const description =
  "list all faults and gaps of shop and environment, with NODE_ENV=production also what only production refuses; fails if there are any";

/**
 * Adds the command that checks the shop as a start does. It also reads a wrong environment, so that it can report the
 * faults.
 */
export function checkCommand(program: Command): void {
  program
    .command("check")
    .description(description)
    .option(
      "--texts",
      "list every sentence that is stored or mailed in the shop's name instead, and where it comes from",
    )
    .action(async ({ json = false, texts = false }: { json?: boolean; texts?: boolean }) => {
      const checked = checkEnv(process.env);
      const { env } = checked;
      const logger = await openLog({ level: env.logLevel, service: env.serviceName }, env.production, "stderr");
      const loaded = await loadShop(env, logger, env.port);
      const named = groupByFile(findStartFaults(checked, loaded));
      const left = groupByFile(dropConsequentialFaults(findGaps(loaded.uncheckedSites, loaded.shop.texts), named));
      const faults = await locateFaults(named, env.shopFolder);
      const gaps = await locateFaults(left, env.shopFolder);
      const output = createOutput(process.stdout, json);
      if (texts) {
        throwFaults(loaded.faults);
        const { brand, countries } = loaded.shop;
        const listed = countries.sites.flatMap((site) => listShopTexts(site, loaded.shop.texts, brand));
        if (json) return output.show(listed);
        return output.write(listed.map(({ site, place, text }) => `${site} ${place}\n  ${text}\n`).join(""));
      }
      if (json) {
        const read =
          (kind: string) =>
          ({ fault, line }: LocatedFault) => ({ kind, ...parseFault(fault, env.shopFolder.files.keys()), line });
        await output.show([...faults.map(read("fault")), ...gaps.map(read("gap"))]);
      }
      if (faults.length + gaps.length > 0) {
        const sum = `faults: ${faults.length}, gaps: ${gaps.length}. Faults prevent a start, gaps don't.`;
        throw new StartError(json ? [sum] : [...writeLocated([...faults, ...gaps]), sum]);
      }
      const next = env.production
        ? ", and ready for production"
        : "; NODE_ENV=production names what only production refuses";
      if (!json) await output.say(`no faults, no gaps${next}`);
    });
}

/** Sorts lines so that those about the same file are together. */
function groupByFile(lines: readonly string[]): string[] {
  return [...Map.groupBy(lines, (line) => parseFault(line).file).values()].flat();
}

/** Adds the command that writes the browser's files to a folder, for services without a store and for CDNs. */
export function assetCommands(program: Command, run: Run): void {
  program
    .command("assets")
    .command("export <folder>")
    .description("write the files below /assets/ to a folder, beside those of earlier versions")
    .action(
      run(async ({ env, logger, output }, folder: string) => {
        const { shop, faults } = await loadShop(env, logger, env.port);
        throwFaults(faults);
        const files = await listFiles(shop.assets, listSharedContents(shop));
        await mkdir(folder, { recursive: true });
        for (const [name, read] of files) await writeFile(join(folder, name), await read());
        await output.say(`${files.size} files written to ${folder}`);
      }),
    );
}

/** Adds the commands for country sites and their texts, which need no store. */
export function countryCommands(program: Command, run: Run): void {
  const country = program.command("country");
  country
    .command("add <code>")
    .description("write the files of a country, with its gaps marked")
    .option("--from <site>", "the most similar country, which is copied; without it, the built-in one of the same code")
    .action(
      run(async ({ env, logger, output }, code: string, { from = code }: { from?: string }) => {
        const place = findPlace(env);
        // The start reports faults, such as the name of a company whose country doesn't exist yet.
        const { drawings, texts } = (await loadShop(env, logger, env.port)).shop;
        const { locales } = texts;
        const model = await findModel(from, [env.shopFolder.countries, findShop().countries], drawings, texts);
        const ofModel = texts.namespaces(referenceLocale).map((name) => {
          const locale = name === "footer" ? footerTextLocale(model) : model.locale;
          return [name, texts.bundle(locale, name)] as const;
        });
        const country = { site: siteOf(code), model, locales, flags: [...drawings.flags.keys()] };
        const written = writeCountry({ ...country, texts: Object.fromEntries(ofModel) }, place);
        const files = written.map((file) => relative(place.folder, file));
        await output.list(files.map((file) => ({ file })));
        if (!output.json) await output.write(describeNextStep(files));
      }),
    );
  country
    .command("gaps")
    .description("list the gaps of the countries; fails if there are any")
    .action(
      run(async ({ env, logger, output }) => {
        const { shop, faults } = await loadShop(env, logger, env.port);
        throwFaults(faults);
        const gaps = await locateFaults(findGaps(shop.countries.sites, shop.texts), env.shopFolder);
        throwFaults(writeLocated(gaps));
        await output.say("the countries have no gaps");
      }),
    );
}

/**
 * Finds the country to copy: one of the shop's own, or a built-in one, even if the shop has its own countries.
 * @param folders - of country files; the first that has the country counts
 */
async function findModel(from: string, folders: readonly string[], drawings: Drawings, texts: Texts): Promise<Site> {
  const read = await Promise.all([...new Set(folders)].map((folder) => readCountries({ folder, drawings, texts })));
  const sites = read.flatMap(({ countries }) => countries.sites);
  const model = sites.find(({ site }) => site === siteOf(from));
  if (model) return model;
  const known = [...new Set(sites.map(({ site }) => site))].sort();
  throw new UsageError([`--from must name the country to copy, as ${siteOf(from)} isn't one of ${known.join(", ")}`]);
}

/** @param files - those of a new country, its own first */
function describeNextStep([country, ...texts]: readonly string[]): string {
  const command = isBuilt ? "npx storefront-fragments" : "npm run operate --";
  return [
    "",
    ...(texts.length > 0 ? ["Next, translate the texts in ‹ ›: until then, they show nothing."] : []),
    `Set the fields that \`gaps\` names in ${country}, and take each out of that list.`,
    `To see what is left: ${command} country gaps`,
    "",
  ].join("\n");
}

/**
 * Finds the folder to which a country is added: the shop's own, or else the checkout.
 * @throws StartError if there is neither, as in the image
 */
function findPlace({ shopFolder }: Env) {
  if (shopFolder.own !== undefined) return { folder: shopFolder.own, types: "storefront-fragments/types" };
  if (isBuilt) throw new StartError(["SHOP_DIR isn't set: it must name the folder to which the country is added"]);
  return { folder: root, types: "../schemas/types.ts" };
}
