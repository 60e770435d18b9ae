import { listTests } from "../shop/abtests/list-tests.ts";
import { importShop } from "../shop/import-shop.ts";
import { listPromotions } from "../shop/promotion/list-promotions.ts";
import { defineCommand } from "./command.ts";

/** What is done about A/B tests and promotions. */
export const shopCommands = [
  defineCommand({
    name: "import",
    argument: "<file.json>",
    does: "adds A/B tests and promotions from a file",
    async run({ env, openStore, output }, file) {
      await output.say(await importShop((await openStore()).db, file, env.sites));
    },
  }),
  defineCommand({
    name: "tests list",
    does: "lists the A/B tests",
    async run({ openStore, output }) {
      await output.list(await listTests((await openStore()).db));
    },
  }),
  defineCommand({
    name: "promotions list",
    does: "lists the promotions",
    async run({ openStore, output }) {
      await output.list(await listPromotions((await openStore()).db));
    },
  }),
];
