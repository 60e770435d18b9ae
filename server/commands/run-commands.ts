import { parseArgs } from "node:util";
import { readEnv } from "../env.ts";
import { createLogger } from "../logger.ts";
import { openStore, type Store } from "../shop/store/open-store.ts";
import { type Command, type CommandContext, commonOptions, type Options } from "./command.ts";
import { commandTable } from "./command-table.ts";
import { createOutput } from "./output.ts";
import { createProgress } from "./progress.ts";
import { UsageError } from "./usage-error.ts";
import { writeHelp, writeList } from "./write-help.ts";

/**
 * Runs the command that some words are.
 * @throws UsageError when they are none
 * @throws StartError when it can't be done
 */
export async function runCommands(words: string[]): Promise<void> {
  const command = commandTable.find(({ name }) => isPrefix(name.split(" "), words));
  if (!command) return listCommands(words);
  const { values, positionals } = parse(command, words.slice(command.name.split(" ").length));
  const { json = false, help = false, ...options } = values;
  const output = createOutput(process.stdout, json === true);
  if (help) return output.write(writeHelp(command));
  const [argument, ...more] = positionals;
  if (more.length > 0 || (argument === undefined) !== (command.argument === undefined)) throw usageOf(command);
  await withStore((context) => command.run({ ...context, output }, argument ?? "", options));
}

/** Lists the commands that begin with some words, where that is asked for. */
async function listCommands(words: readonly string[]): Promise<void> {
  const meant = words.filter((word) => word !== "--help");
  const found = commandTable.filter(({ name }) => isPrefix(meant, name.split(" ")));
  const list = writeList(found.length > 0 ? found : commandTable);
  const unknown = found.length === 0 ? `There is no command "${meant.join(" ")}".\n` : "";
  if (meant.length === words.length || unknown)
    throw new UsageError(`${unknown}usage: one of these commands\n\n${list}`);
  await createOutput(process.stdout, false).write(list);
}

function isPrefix(beginning: readonly string[], words: readonly string[]): boolean {
  return beginning.every((word, i) => words[i] === word);
}

function parse(command: Command, args: string[]) {
  const options: Options = { ...command.options, ...commonOptions };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageOf(command, `${error.message}\n`);
  }
}

function usageOf(command: Command, reason = ""): UsageError {
  return new UsageError(`${reason}${writeHelp(command)}`);
}

/** Reads the environment for a command, and closes the store afterwards if it has opened it. */
async function withStore(work: (context: Omit<CommandContext, "output">) => Promise<void>): Promise<void> {
  const env = readEnv(process.env);
  const logger = createLogger({ level: env.logLevel, service: env.serviceName }, process.stderr);
  const progress = createProgress((line) => process.stderr.write(line));
  let store: Store | undefined;
  try {
    await work({
      env,
      logger,
      progress,
      async openStore() {
        store ??= await openStore({ ...env, logger, unlimited: true });
        return store;
      },
    });
  } finally {
    progress.end();
    await store?.close();
  }
}
