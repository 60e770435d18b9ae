import type { Command } from "commander";
import { siteOf } from "../config/country-files.ts";
import type { Env } from "../config/env.ts";
import { loadShop } from "../context.ts";
import { refuseFaults, StartError } from "../platform/errors.ts";
import { referenceLocale } from "../platform/own-texts.ts";
import { dist, root } from "../platform/paths.ts";
import { readCountries } from "../sites/countries.ts";
import { findGaps } from "../sites/find-gaps.ts";
import { footerTextLocale } from "../sites/site.ts";
import { writeCountry } from "../sites/write-country.ts";
import type { CommandContext, Run } from "../store/command.ts";

/** Adds the commands for country sites and their texts, which need no store. */
export function countryCommands(program: Command, run: Run): void {
  const country = program.command("country");
  country
    .command("add <code>")
    .description("write the files of a new country, with its gaps marked")
    .requiredOption("--from <site>", "the most similar country, which is copied")
    .action(
      run(async (context, code: string, { from }: { from: string }) => {
        const { env, output } = context;
        const place = findPlace(env);
        const { drawings, texts } = await readShop(context);
        const { locales } = texts;
        const { countries } = await readCountries({ folder: env.shopFolder.countries, drawings, texts });
        const model = countries.get(siteOf(from));
        if (!model) throw new StartError([`there is no site ${siteOf(from)}`]);
        const ofModel = texts.namespaces(referenceLocale).map((name) => {
          const locale = name === "footer" ? footerTextLocale(model) : model.locale;
          return [name, texts.bundle(locale, name)] as const;
        });
        const country = { site: siteOf(code), model, locales, flags: [...drawings.flags] };
        const files = writeCountry({ ...country, texts: Object.fromEntries(ofModel) }, place);
        await output.list(files.map((file) => ({ file })));
      }),
    );
  country
    .command("gaps")
    .description("list the gaps of the countries; fails if there are any")
    .action(
      run(async (context) => {
        const { countries, texts } = await readShop(context);
        const gaps = findGaps(countries.sites, texts);
        refuseFaults(gaps);
        await context.output.say("the countries have no gaps");
      }),
    );
}

async function readShop({ env, logger }: CommandContext) {
  const { shop, faults } = await loadShop(env, logger, env.port);
  refuseFaults(faults);
  return shop;
}

/**
 * Finds the folder to which a country is added: the shop's own, else the checkout.
 * @throws StartError where there is neither, as in the image
 */
function findPlace({ shopFolder }: Env) {
  if (shopFolder.own !== undefined) return { folder: shopFolder.own, types: "storefront-fragments/types" };
  if (root === dist)
    throw new StartError(["SHOP_DIR isn't set: it must name the folder to which the country is added"]);
  return { folder: root, types: "../schemas/types.ts" };
}
