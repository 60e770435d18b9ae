import type { Command } from "commander";
import type { Run } from "../../store/command.ts";
import { addAddressCommands } from "./commands/addresses.ts";
import { addConsentCommands } from "./commands/consents.ts";
import { addMailCommands } from "./commands/mails.ts";
import { addSubscriberCommands } from "./commands/subscribers.ts";
import { addVoucherCommands } from "./commands/vouchers.ts";

/** Adds the commands for subscribers, consents and mails. */
export function newsletterCommands(program: Command, run: Run): void {
  addConsentCommands(program, run);
  addSubscriberCommands(program.command("subscribers"), run);
  addAddressCommands(program, run);
  addVoucherCommands(program.command("vouchers"), run);
  addMailCommands(program.command("mails"), run);
}
