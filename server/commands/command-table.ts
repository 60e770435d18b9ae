import { createAccountCommands } from "./account-commands.ts";
import type { Command } from "./command.ts";
import { countryCommands } from "./country-commands.ts";
import { mailCommands } from "./mail-commands.ts";
import { newsletterCommands } from "./newsletter-commands.ts";
import { shopCommands } from "./shop-commands.ts";
import { storeCommands } from "./store-commands.ts";

/** Every command, in the order in which its help and docs/operate.md have them. */
export const commandTable: readonly Command[] = [
  ...newsletterCommands,
  ...mailCommands,
  ...createAccountCommands("customer"),
  ...createAccountCommands("staff"),
  ...shopCommands,
  ...countryCommands,
  ...storeCommands,
];
