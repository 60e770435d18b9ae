import type { Env } from "../env.ts";
import { StartError } from "../errors.ts";
import { messagesOf, readLocales, referenceLocale } from "../locale-files.ts";
import { createMetrics } from "../metrics.ts";
import { loadParts } from "../parts.ts";
import { dist, root } from "../root.ts";
import { builtIn } from "../shop-folder.ts";
import { readCountry, siteOf } from "../sites/countries.ts";
import { findGaps } from "../sites/find-gaps.ts";
import { footerTextLocale } from "../sites/footer-text-locale.ts";
import { writeCountry } from "../sites/write-country.ts";
import { type CommandContext, defineCommand } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** What is done about the country sites and their texts. They need no store. */
export const countryCommands = [
  defineCommand({
    name: "country add",
    argument: "<code>",
    options: { from: { type: "string", value: "<site>", does: "the country that is nearest, which it copies" } },
    does: "writes the file and the texts of a new country, with its gaps marked",
    async run(context, code, { from }) {
      const { env, output } = context;
      if (from === undefined) throw new UsageError("--from is missing: name the country that is nearest\n");
      const place = findPlace(env);
      const { drawings, texts } = await loadShop(context);
      const model = await readCountry(env.shopFolder.countries, siteOf(from));
      if (!model) throw new StartError([`there is no site ${siteOf(from)}`]);
      const { locales } = readLocales(builtIn.locales, env.shopFolder.locales);
      const files = writeCountry(
        {
          site: siteOf(code),
          model,
          texts: Object.fromEntries(
            texts.namespaces(referenceLocale).map((namespace) => {
              const locale = namespace === "footer" ? footerTextLocale(model) : model.locale;
              const [own, ofLanguage] = messagesOf(locales, locale, namespace);
              return [namespace, { ...ofLanguage, ...own }];
            }),
          ),
          locales: Object.keys(locales),
          flags: [...drawings.flags],
        },
        place,
      );
      await output.list(files.map((file) => ({ file })));
    },
  }),
  defineCommand({
    name: "country gaps",
    does: "names what is still to be done for the countries, and fails when there is anything",
    async run(context) {
      const { countries, texts } = await loadShop(context);
      const gaps = findGaps(countries.sites, texts);
      if (gaps.length > 0) throw new StartError(gaps);
      await context.output.say("the countries have no gaps");
    },
  }),
];

function loadShop({ env, logger }: Pick<CommandContext, "env" | "logger">) {
  return loadParts(env, { logger, metrics: createMetrics(), readiness: { state: "starting" } }, env.port);
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
