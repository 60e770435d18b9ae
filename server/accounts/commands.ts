import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { emailPattern, maxEmailLength, normalizeEmail } from "../../client/rules/email.ts";
import { salutations } from "../../client/rules/salutations.ts";
import { consents, normalizeName, validateSubscription } from "../../client/rules/subscription.ts";
import { StartError, UsageError } from "../platform/errors.ts";
import { type AccountKind, createSecurityEvents } from "../platform/security-events.ts";
import { toIso } from "../platform/time.ts";
import type { AuditEvent } from "../store/audit-events.ts";
import type { Row, Run } from "../store/command.ts";
import { type Database, inTransaction, type StoreTransaction } from "../store/open-store.ts";
import {
  type Account,
  addAccounts,
  findAccount,
  lockAccount,
  removeAccount,
  setPasswordHash,
  updateAccount,
} from "./accounts.ts";
import { hashPassword } from "./password-hash.ts";
import { endAllSessions, endSessionsOf, listSessions } from "./sessions.ts";

const words = {
  customer: {
    group: "account",
    one: "a customer",
    all: "all customers",
    known: "has an account",
    unknown: "has no account",
  },
  staff: {
    group: "staff",
    one: "a member of staff",
    all: "all members of staff",
    known: "is a member of staff",
    unknown: "isn't a member of staff",
  },
};

/** The account that a command is for, and the function that changes it. */
interface Opened {
  db: Database;
  account: Account;
  /** Makes a change and records it, both or neither. */
  change(event: AuditEvent["event"], make: (transaction: StoreTransaction) => Promise<unknown>): Promise<void>;
}

/** The events that are also logged, besides those of locks. */
const logged = ["authn_login_unlock", "authn_password_change", "authn_token_revoked"] as const;

const isLogged = (event: string): event is (typeof logged)[number] => logged.some((known) => known === event);

/** Options of `account set`. An empty text removes the value; a missing one leaves it. */
interface ProfileOptions {
  salutation?: string;
  firstName?: string;
  lastName?: string;
  /** Comma-separated consents. */
  consents?: string;
}

interface Options extends ProfileOptions {
  session?: string;
}

/** Adds the commands for the accounts of customers, or of staff. */
export function accountCommands(program: Command, run: Run, kind: AccountKind): void {
  const { group, one, all, known, unknown } = words[kind];
  const commands = program.command(group);
  commands
    .command("add <address>")
    .description(`add ${one}, with a password from standard input`)
    .action(
      run(async ({ audit, openStore, output }, address: string) => {
        const email = normalizeEmail(address);
        if (!emailPattern.test(email) || email.length > maxEmailLength)
          throw new UsageError([`${address} isn't an email address`]);
        const passwordHash = await hashPassword(await readPassword());
        const isAdded = await inTransaction((await openStore()).db, async (transaction) => {
          const added = await addAccounts(transaction, [{ kind, email, passwordHash }]);
          if (added.length > 0) await audit.record(transaction, { event: "user_created", kind, account: email });
          return added.length > 0;
        });
        if (!isAdded) throw new StartError([`${email} ${known}`]);
        await output.say(`${email} added`);
      }),
    );
  if (kind === "customer") {
    addCommand("set", "set the values that prefill a customer's forms; an empty text removes one", setProfile)
      .option("--salutation <value>", "MRS, MR, DIVERS or COMPANY")
      .option("--first-name <name>", "first name")
      .option("--last-name <name>", "last name")
      .option("--consents <list>", "DNE and NEWSLETTER, separated by a comma");
  } else {
    commands
      .command("list")
      .description("list the members of staff")
      .action(
        run(async ({ openStore, output }) => {
          const { db } = await openStore();
          const staff = db.selectFrom("account").selectAll().where("kind", "=", kind).orderBy("loginName");
          await output.list(
            (await staff.execute()).map(({ email, locked, demo }) => ({
              email,
              locked: locked === 1,
              demo: demo === 1,
            })),
          );
        }),
      );
  }
  addCommand(
    "password",
    `set the password of ${one} from standard input, and sign them out everywhere`,
    async ({ account, change }) => {
      const passwordHash = await hashPassword(await readPassword());
      await change("authn_password_change", (transaction) => setPasswordHash(transaction, account.id, passwordHash));
      return `${account.email} has a new password, and is signed out everywhere`;
    },
  );
  addCommand("sessions", `list the sessions of ${one}`, async ({ db, account }) =>
    (await listSessions(db, account.id)).map(({ id, startedAt, expiresAt, endsAt }) => ({
      session: id,
      startedAt: toIso(startedAt),
      expiresAt: toIso(expiresAt),
      endsAt: toIso(endsAt),
    })),
  );
  addCommand("sign-out", `end the sessions of ${one}`, async ({ db, account, change }, { session }) => {
    if (session !== undefined && !(await listSessions(db, account.id)).some(({ id }) => id === session))
      throw new StartError([`${account.email} has no session ${session}`]);
    await change("authn_token_revoked", (transaction) => endSessionsOf(transaction, account.id, session));
    return `${account.email} signed out ${session === undefined ? "everywhere" : "of one session"}`;
  }).option("--session <session>", `end only this one of \`${group} sessions\``);
  commands
    .command("sign-out-all")
    .description(`end the sessions of ${all}`)
    .action(
      run(async ({ audit, keys, logger, openStore, output }) => {
        const event = { event: "authn_token_revoked", kind } as const;
        await audit.change((await openStore()).db, event, (transaction) => endAllSessions(transaction, kind));
        createSecurityEvents(keys, logger)(event);
        await output.say(`${all} signed out everywhere`);
      }),
    );
  addCommand("lock", `keep ${one} from signing in, and sign them out everywhere`, async ({ account, change }) => {
    await change("authn_login_lock", (transaction) => lockAccount(transaction, account.id));
    return `${account.email} locked, and signed out everywhere`;
  });
  addCommand("unlock", `let ${one} sign in again`, async ({ account, change }) => {
    await change("authn_login_unlock", (transaction) => updateAccount(transaction, account.id, { locked: 0 }));
    return `${account.email} unlocked`;
  });
  addCommand("remove", `remove ${one}`, async ({ account, change }) => {
    await change("user_deleted", (transaction) => removeAccount(transaction, account.id));
    return `${account.email} removed`;
  });

  /** Adds a command for one account. It prints the line or the rows that `work` returns. */
  function addCommand(
    name: string,
    description: string,
    work: (opened: Opened, options: Options) => Promise<string | Row[]>,
  ): Command {
    return commands
      .command(`${name} <address>`)
      .description(description)
      .action(
        run(async ({ audit, keys, logger, openStore, output }, address: string, options: Options) => {
          const { db } = await openStore();
          const account = await findAccount(db, kind, address);
          if (!account) throw new StartError([`${address} ${unknown}`]);
          const report = createSecurityEvents(keys, logger);
          const change: Opened["change"] = async (event, make) => {
            const about = { kind, account: account.loginName };
            await audit.change(db, { event, ...about }, make);
            if (event === "authn_login_lock") report({ event, reason: "command", ...about });
            else if (isLogged(event)) report({ event, ...about });
          };
          const result = await work({ db, account, change }, options);
          await (typeof result === "string" ? output.say(result) : output.list(result));
        }),
      );
  }
}

/** Names follow the rules of the newsletter sign-up, but none is required. */
const rules = { salutation: "optional", names: "optional", legals: false } as const;

/** Changes the profile of a customer. */
async function setProfile({ account, change }: Opened, options: ProfileOptions): Promise<string> {
  const { salutation, firstName, lastName } = options;
  const listed = options.consents && [...new Set(options.consents.split(",").filter((entry) => entry !== ""))];
  const wrong = validateSubscription({ email: account.email, firstName, lastName, consents: [] }, rules);
  const isWrong = (name: string) => wrong.some(({ field }) => field === name);
  const faults = [
    ...(salutation && !isIn(salutations, salutation) ? [`--salutation must be one of ${salutations.join(", ")}`] : []),
    ...(isWrong("firstName") ? ["--first-name isn't a name"] : []),
    ...(isWrong("lastName") ? ["--last-name isn't a name"] : []),
    ...(listed && !listed.every((entry) => isIn(consents, entry)) ? [`--consents must be some of ${consents}`] : []),
  ];
  if (faults.length > 0) throw new UsageError(faults);
  const columns = {
    ...(salutation !== undefined && { salutation: salutation || null }),
    ...(firstName !== undefined && { firstName: normalizeName(firstName) || null }),
    ...(lastName !== undefined && { lastName: normalizeName(lastName) || null }),
    ...(listed !== undefined && { consents: JSON.stringify(listed || []) }),
  };
  if (Object.keys(columns).length === 0)
    throw new UsageError(["account set needs --salutation, --first-name, --last-name or --consents"]);
  await change("user_updated", (transaction) => updateAccount(transaction, account.id, columns));
  return `${account.email} changed`;
}

function isIn(known: readonly string[], entry: string): boolean {
  return known.includes(entry);
}

const passwordLength = { min: 8, max: 256 };

/**
 * Reads a password from the first line of standard input. On a terminal, asks for it without showing what is typed. An
 * argument would be visible to other users of the machine.
 * @throws StartError if it is too short or too long
 */
async function readPassword(): Promise<string> {
  const [password = ""] = process.stdin.isTTY
    ? [await askForPassword()]
    : (await text(process.stdin)).split(/\r?\n/, 1);
  const { min, max } = passwordLength;
  if (password.length < min || password.length > max)
    throw new StartError([`the password must have ${min} to ${max} characters; it is read from standard input`]);
  return password;
}

async function askForPassword(): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silence, terminal: true });
  process.stderr.write("Password: ");
  // Ctrl+C and Ctrl+D reject the question.
  const password = await terminal.question("").catch(() => "");
  terminal.close();
  process.stderr.write("\n");
  return password;
}
