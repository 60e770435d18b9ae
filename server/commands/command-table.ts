import { createAccountCommands } from "./account-commands.ts";
import type { Command } from "./command.ts";
import { newsletterCommands } from "./newsletter-commands.ts";
import { shopCommands } from "./shop-commands.ts";
import { storeCommands } from "./store-commands.ts";

/** Every command, in the order in which its help and docs/operate.md have them. */
export const commandTable: readonly Command[] = [
  ...newsletterCommands,
  ...createAccountCommands("customer"),
  ...createAccountCommands("staff"),
  ...shopCommands,
  ...storeCommands,
];
