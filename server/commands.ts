/**
 * Does what operators want done with the store. It reads the same environment as the service.
 *
 *   node dist/server/commands.js consent export <address> [--site <SITE>] [--html]
 *   node dist/server/commands.js erase <address> [--suppress]
 *   node dist/server/commands.js suppress|unsuppress <address>
 *   node dist/server/commands.js iys export
 *   node dist/server/commands.js account|staff add|password <address> < password
 *   node dist/server/commands.js account set <address> [--salutation <value>] [--first-name <name>]
 *     [--last-name <name>] [--consents <list>]
 *   node dist/server/commands.js account|staff sign-out|lock|unlock|remove <address>
 *   node dist/server/commands.js account|staff sign-out-all
 *   node dist/server/commands.js import <file.json>
 *   node dist/server/commands.js keys rotate|revoke
 *   node dist/server/commands.js backup|restore <file>
 *   node dist/server/commands.js copy-to-postgres
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isEmail, normalizeEmail } from "../client/rules/email.ts";
import { type Env, readEnv } from "./env.ts";
import { StartError } from "./errors.ts";
import { createLogger, type Logger } from "./logger.ts";
import { root } from "./root.ts";
import { erase } from "./shop/erase.ts";
import { importShop } from "./shop/import-shop.ts";
import { customerAccounts } from "./shop/login/customer-accounts.ts";
import { type CustomerOptions, setCustomer } from "./shop/login/set-customer.ts";
import { mailFolder } from "./shop/mail/create-mail-transport.ts";
import { openSuppression } from "./shop/mail/suppression.ts";
import { renderConsentPage } from "./shop/newsletter/consent-page.tsx";
import { exportConsent } from "./shop/newsletter/export-consent.ts";
import { exportToIys } from "./shop/newsletter/export-to-iys.ts";
import { openSecurityEvents } from "./shop/open-security-events.ts";
import { staffAccounts } from "./shop/preview/staff-accounts.ts";
import { revokeKeys, rotateKeys } from "./shop/rotate-keys.ts";
import { createAccountCommands } from "./shop/sign-in/account-commands.ts";
import { backUp, restore } from "./shop/store/backup.ts";
import { copyToPostgres } from "./shop/store/copy-to-postgres.ts";
import { inTransaction } from "./shop/store/in-transaction.ts";
import { openStore, type Store, toStartError } from "./shop/store/open-store.ts";
import { findSites } from "./sites/countries.ts";

interface CommandOptions extends CustomerOptions {
  env: Env;
  logger: Logger;
  /** The address that the command is about, or the file. */
  address: string;
  site?: string | undefined;
  html: boolean;
  /** Whether no mail is to be sent to the address any more. */
  suppress: boolean;
}

type Command = (store: Store, options: CommandOptions) => Promise<void>;

const accountCommands = {
  ...createAccountCommands("account", customerAccounts, {
    known: "has an account",
    unknown: "has no account",
    everybody: "all customers",
  }),
  ...createAccountCommands("staff", staffAccounts, {
    known: "is a member of staff",
    unknown: "is no member of staff",
    everybody: "all members of staff",
  }),
};

const commands: Record<string, Command> = {
  async "consent export"({ db }, { address, site, html }) {
    const exported = await exportConsent(db, address, site);
    await print(html ? renderConsentPage(exported) : toJson(exported));
  },
  async erase(store, { address, env, suppress }) {
    const suppression = suppress ? await openSuppression(store.db) : undefined;
    if (suppress) addressOf(address);
    const erased = await erase(store.db, address, mailFolder(env), Date.now(), suppression);
    await print(toJson(erased));
    await store.forgetDeleted();
  },
  async "iys export"(store) {
    const { entries, markExported } = await exportToIys(store.db);
    await print(toJson(entries));
    await markExported(Date.now());
    await store.forgetDeleted();
  },
  async suppress({ db }, { address }) {
    const [email, { suppress }] = [addressOf(address), await openSuppression(db)];
    await inTransaction(db, (transaction) => suppress(transaction, email, Date.now()));
    await print(`${email} suppressed`);
  },
  async unsuppress({ db }, { address }) {
    const [email, { unsuppress }] = [addressOf(address), await openSuppression(db)];
    if (!(await unsuppress(db, email))) throw new StartError([`${email} isn't suppressed`]);
    await print(`${email} unsuppressed`);
  },
  async "account set"({ db }, { address, ...options }) {
    await print(await setCustomer(db, address, options));
  },
  async import({ db }, { address: file }) {
    await print(await importShop(db, file, countrySites()));
  },
  async "keys rotate"({ db }) {
    await print(await rotateKeys(db, Date.now()));
  },
  async "keys revoke"({ db }, { logger }) {
    await print(await revokeKeys(db, Date.now(), await openSecurityEvents(db, logger)));
  },
  ...Object.fromEntries(
    Object.entries(accountCommands).map(([name, command]): [string, Command] => [
      name,
      async ({ db }, { address, logger }) => {
        const report = await openSecurityEvents(db, logger);
        await print(await command(db, address, report));
      },
    ]),
  ),
};

/** The commands for the database as a whole, which need no open store. */
const commandsOnFiles: Record<string, (options: CommandOptions) => Promise<void>> = {
  async backup({ env, address: file }) {
    refusePostgres(env, "pg_dump");
    await print(backUp(env.dataDir, file));
  },
  async restore({ env, address: file }) {
    refusePostgres(env, "pg_restore");
    await print(await restore(env.dataDir, file, new Date()));
  },
  async "copy-to-postgres"({ env, logger }) {
    const lines = await copyToPostgres({ ...env, logger });
    await print(lines.join("\n"));
  },
};

const allCommands = {
  ...commandsOnFiles,
  ...Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, inStore(command)])),
};

const withoutAddress = new Set([
  "iys export",
  "account sign-out-all",
  "staff sign-out-all",
  "keys rotate",
  "keys revoke",
  "copy-to-postgres",
]);

const usage = `usage: commands consent export <address> [--site <SITE>] [--html]
       commands erase <address> [--suppress]
       commands suppress|unsuppress <address>
       commands iys export
       commands account|staff add|password <address> < password
       commands account set <address> [--salutation MRS|MR|DIVERS|COMPANY] [--first-name <name>] [--last-name <name>]
                            [--consents DNE,NEWSLETTER]
       commands account|staff sign-out|lock|unlock|remove <address>
       commands account|staff sign-out-all
       commands import <file.json>
       commands keys rotate|revoke
       commands backup|restore <file>
       commands copy-to-postgres`;

try {
  await run(process.argv.slice(2));
} catch (error) {
  const reason = toStartError(error);
  if (!(reason instanceof StartError)) throw reason;
  for (const fault of reason.faults) console.error(fault);
  process.exitCode = 1;
}

async function run(words: string[]) {
  const { name, command, address, options } = parse(words);
  if (!command || (address === undefined) !== withoutAddress.has(name)) throw new StartError([usage]);
  const sites = countrySites();
  if (options.site !== undefined && !sites.includes(options.site))
    throw new StartError([`there is no site ${options.site}`]);
  const env = readEnv(process.env, sites);
  const logger = createLogger(env.logLevel, process.stderr);
  await command({ env, logger, address: address ?? "", html: false, suppress: false, ...options });
}

/** Opens the store for a command, and closes it afterwards. */
function inStore(command: Command) {
  return async (options: CommandOptions) => {
    const store = await openStore({ ...options.env, logger: options.logger, unlimited: true });
    try {
      await command(store, options);
    } finally {
      await store.close();
    }
  };
}

function refusePostgres({ databaseUrl }: Env, tool: string): void {
  if (databaseUrl) throw new StartError([`DATABASE_URL is set: ${tool} does this for PostgreSQL`]);
}

function countrySites(): string[] {
  return findSites(join(root, "countries"));
}

/** Reads the command, which has one word or two, and the address or file that follows it. */
function parse(args: string[]) {
  const { values: options, positionals } = parsed(args);
  const words = Object.hasOwn(allCommands, positionals[0] ?? "") ? 1 : 2;
  const name = positionals.slice(0, words).join(" ");
  const [address, ...more] = positionals.slice(words);
  return { name, command: more.length === 0 ? allCommands[name] : undefined, address, options };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...{ site: { type: "string" }, html: { type: "boolean" }, suppress: { type: "boolean" } },
        ...{ salutation: { type: "string" }, "first-name": { type: "string" }, "last-name": { type: "string" } },
        consents: { type: "string" },
      },
    });
  } catch {
    throw new StartError([usage]);
  }
}

/** The one spelling of an address, of which no trace is left by which a mistake could be found. */
function addressOf(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw new StartError([`${text} is no address`]);
  return email;
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Writes a text, and resolves once it is written: what is then marked as exported must not be lost in a pipe. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
