import type { Command } from "commander";
import type { Drawings } from "../brand/load-images.ts";
import { siteOf } from "../config/country-files.ts";
import type { Env } from "../config/env.ts";
import { loadShop } from "../context.ts";
import { refuseFaults, StartError } from "../platform/errors.ts";
import { referenceLocale } from "../platform/own-texts.ts";
import { isBuilt, root } from "../platform/paths.ts";
import { findShop } from "../platform/shop-folder.ts";
import type { Texts } from "../platform/texts.ts";
import { readCountries, type Site } from "../sites/countries.ts";
import { findGaps } from "../sites/find-gaps.ts";
import { footerTextLocale } from "../sites/site.ts";
import { writeCountry } from "../sites/write-country.ts";
import type { Run } from "../store/command.ts";

/** Adds the commands for country sites and their texts, which need no store. */
export function countryCommands(program: Command, run: Run): void {
  const country = program.command("country");
  country
    .command("add <code>")
    .description("write the files of a new country, with its gaps marked")
    .requiredOption("--from <site>", "the most similar country, which is copied")
    .action(
      run(async ({ env, logger, output }, code: string, { from }: { from: string }) => {
        const place = findPlace(env);
        // Faults, such as the name of a company whose country is only being added, are left to the start.
        const { drawings, texts } = (await loadShop(env, logger, env.port)).shop;
        const { locales } = texts;
        const model = await findModel(from, [env.shopFolder.countries, findShop().countries], drawings, texts);
        const ofModel = texts.namespaces(referenceLocale).map((name) => {
          const locale = name === "footer" ? footerTextLocale(model) : model.locale;
          return [name, texts.bundle(locale, name)] as const;
        });
        const country = { site: siteOf(code), model, locales, flags: [...drawings.flags] };
        const files = writeCountry({ ...country, texts: Object.fromEntries(ofModel) }, place);
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
        refuseFaults(faults);
        refuseFaults(findGaps(shop.countries.sites, shop.texts));
        await output.say("the countries have no gaps");
      }),
    );
}

/**
 * Finds the country to copy: one of the shop's own, or a built-in one even where the shop has its own.
 * @param folders - of country files; the first that has the country counts
 */
async function findModel(from: string, folders: readonly string[], drawings: Drawings, texts: Texts): Promise<Site> {
  const read = await Promise.all([...new Set(folders)].map((folder) => readCountries({ folder, drawings, texts })));
  const sites = read.flatMap(({ countries }) => countries.sites);
  const model = sites.find(({ site }) => site === siteOf(from));
  if (model) return model;
  const known = [...new Set(sites.map(({ site }) => site))].sort();
  throw new StartError([`there is no site ${siteOf(from)}: it must be one of ${known.join(", ")}`]);
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
 * Finds the folder to which a country is added: the shop's own, else the checkout.
 * @throws StartError where there is neither, as in the image
 */
function findPlace({ shopFolder }: Env) {
  if (shopFolder.own !== undefined) return { folder: shopFolder.own, types: "storefront-fragments/types" };
  if (isBuilt) throw new StartError(["SHOP_DIR isn't set: it must name the folder to which the country is added"]);
  return { folder: root, types: "../schemas/types.ts" };
}
