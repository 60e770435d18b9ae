import { userInfo } from "node:os";
import { Command } from "commander";
import { distance } from "fastest-levenshtein";
import packageJson from "../../package.json" with { type: "json" };
import { accountCommands } from "../accounts/commands.ts";
import { moveAccountCommands } from "../accounts/move-accounts.ts";
import { readEnv } from "../config/env.ts";
import { loadShop } from "../context.ts";
import { abTestCommands } from "../features/abtests/commands.ts";
import { newsletterCommands } from "../features/newsletter/commands.ts";
import { promotionCommands } from "../features/promotion/commands.ts";
import { throwFaults } from "../platform/errors.ts";
import { openLog } from "../platform/logger.ts";
import { loadSecretKeys } from "../platform/secret-keys.ts";
import { auditCommands } from "../store/audit-commands.ts";
import { createAudit } from "../store/audit-events.ts";
import { type CommandContext, createOutput, type Run } from "../store/command.ts";
import { storeCommands } from "../store/commands.ts";
import { openStore, type Store, toStartError } from "../store/open-store.ts";
import { checkUpstreamCommand } from "./check-upstream/command.ts";
import { exportCommand } from "./export/command.ts";
import { importCommand } from "./import-shop.ts";
import { initCommand, runProgram } from "./init-command.ts";
import { buildCommand, readShopEnvironment, startCommands } from "./service-commands.ts";
import { assetCommands, checkCommand, countryCommands } from "./shop-commands.ts";

/**
 * Runs a command.
 * @param words - the command with its arguments
 * @returns the exit code: 0 after success, 1 after a failure, 2 for wrong arguments
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  // The write itself reports its failure.
  process.stdout.on("error", () => undefined);
  readShopEnvironment();
  const program = createProgram(run);
  for (const group of [program, ...program.commands.filter(({ commands }) => commands.length > 0)])
    group.showHelpAfterError(suggestCommand(program, words));
  return runProgram(program, words);
}

/** Creates the program with every command, in the order of its help. */
export function createProgram(run: Run): Command {
  const program = new Command(packageJson.name)
    .version(packageJson.version)
    .exitOverride()
    // Commander compares only the last word of a command, which many commands share.
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .configureHelp({
      visibleCommands: leavesOf,
      subcommandTerm: (command) => [...pathOf(command), command.usage().replace("[options]", "").trim()].join(" "),
    });
  initCommand(program.commandsGroup("The service:"));
  startCommands(program);
  checkCommand(program);
  checkUpstreamCommand(program, run);
  buildCommand(program, run);
  newsletterCommands(program.commandsGroup("Newsletter, email and personal data:"), run);
  accountCommands(program.commandsGroup("Customers:"), run, "customer");
  accountCommands(program.commandsGroup("Staff:"), run, "staff");
  moveAccountCommands(program.commandsGroup("Customers and staff:"), run);
  importCommand(program.commandsGroup("A/B tests and promotions:"), run);
  abTestCommands(program, run);
  promotionCommands(program, run);
  exportCommand(program.commandsGroup("Files for browsers and other pages:"), run);
  assetCommands(program, run);
  countryCommands(program.commandsGroup("Countries:"), run);
  storeCommands(program.commandsGroup("Database:"), run);
  auditCommands(program.commandsGroup("Audit:"), run);
  for (const subject of program.commands)
    for (const command of leavesOf({ commands: [subject] })) {
      command.helpGroup(subject.helpGroup()).showHelpAfterError().showSuggestionAfterError();
      if (!["init", "start", "dev"].includes(command.name())) command.option("--json", "print JSON, for programs");
    }
  return program;
}

/** Suggests the closest command, if any, and how to list all commands. */
function suggestCommand(program: Command, words: readonly string[]): string {
  const [near] = leavesOf(program)
    .map((leaf) => {
      const path = pathOf(leaf);
      const name = path.join(" ");
      return { name, away: distance(words.slice(0, path.length).join(" "), name) };
    })
    .sort((a, b) => a.away - b.away);
  const question = near && near.away <= near.name.length / 3 ? `Did you mean \`${near.name}\`? ` : "";
  return `${question}--help lists all commands.`;
}

/** Lists the commands of a group, including those of its subgroups. */
function leavesOf({ commands }: Pick<Command, "commands">): Command[] {
  return commands.flatMap((command) => (command.commands.length > 0 ? leavesOf(command) : [command]));
}

function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()].filter((name) => name !== packageJson.name) : [];
}

/** Reads the environment for a command, and closes the store afterwards if the command has opened it. */
const run: Run =
  (work) =>
  async (...args) => {
    const command = args.at(-1);
    const isJson = command instanceof Command && command.opts().json === true;
    const env = readEnv(process.env);
    const keys = loadSecretKeys(env);
    const operator = env.operator ?? systemUser();
    const log = await openLog({ level: env.logLevel, service: env.serviceName }, env.production, "stderr");
    const logger = log.child({ operator });
    let store: Store | undefined;
    const context: CommandContext = {
      audit: createAudit(keys, operator),
      env,
      keys,
      logger,
      output: createOutput(process.stdout, isJson),
      async loadSites() {
        const { shop, faults } = await loadShop(env, logger, env.port);
        throwFaults(faults);
        return shop.countries.sites;
      },
      async openStore() {
        store ??= await openStore({ ...env, logger, noTimeouts: true });
        return store;
      },
    };
    try {
      await work(context, ...args);
    } catch (error) {
      throw toStartError(error);
    } finally {
      await store?.close();
    }
  };

/** Names the user who runs the process, in some containers only by a number. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
