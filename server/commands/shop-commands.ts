import { importShop } from "../shop/import-shop.ts";
import { defineCommand } from "./command.ts";

/** What is done about A/B tests and promotions. */
export const shopCommands = [
  defineCommand({
    name: "import",
    argument: "<file.json>",
    does: "adds A/B tests and promotions from a file",
    async run({ openStore, output, sites }, file) {
      await output.say(await importShop((await openStore()).db, file, sites));
    },
  }),
];
