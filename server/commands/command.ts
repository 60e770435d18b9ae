import type { Env } from "../env.ts";
import type { Logger } from "../logger.ts";
import type { Store } from "../shop/store/open-store.ts";
import type { Output } from "./output.ts";
import type { Progress } from "./progress.ts";

interface Option {
  type: "string" | "boolean";
  /** What follows the option, such as `<site>`; none follows a boolean one. */
  value?: string;
  /** What it means, in one line. */
  does: string;
}

export type Options = Record<string, Option>;

/** What was given of some options. */
type Values<Known extends Options> = {
  [Name in keyof Known]?: { string: string; boolean: boolean }[Known[Name]["type"]];
};

/** What every command works with. */
export interface CommandContext {
  env: Env;
  logger: Logger;
  output: Output;
  progress: Progress;
  /** Opens the store, which is closed after the command. */
  openStore(): Promise<Store>;
}

interface Definition<Known extends Options> {
  /** The words that call it, such as `consent export`. */
  name: string;
  /** What follows them, such as `<address>`; undefined when nothing does. */
  argument?: string;
  options?: Known;
  /** What it does, in one line. */
  does: string;
  /**
   * Does it. What it throws as StartError is told as it is.
   * @param argument - what follows the name; empty where nothing does
   */
  run(context: CommandContext, argument: string, options: Values<Known>): Promise<void>;
}

/** A command as the table has it. */
export type Command = Definition<Options>;

/** Checks that a command works with the options that it has. */
export function defineCommand<const Known extends Options>(command: Definition<Known>): Command {
  return command;
}

/** The options of every command. */
export const commonOptions = {
  json: { type: "boolean", does: "prints JSON, for programs" },
  help: { type: "boolean", does: "says how the command is used" },
} satisfies Options;
