import { StartError } from "../errors.ts";
import { toIso } from "../format-time.ts";
import type { AccountKind, ReportEvent } from "../security-events.ts";
import { customerAccounts } from "../shop/login/customer-accounts.ts";
import { loginSessions } from "../shop/login/sessions.ts";
import { setCustomer } from "../shop/login/set-customer.ts";
import { openSecurityEvents } from "../shop/open-security-events.ts";
import { staffAccounts } from "../shop/preview/staff-accounts.ts";
import { staffSessions } from "../shop/preview/staff-sessions.ts";
import type { Account } from "../shop/sign-in/accounts.ts";
import { readNewAccount } from "../shop/sign-in/read-new-account.ts";
import { readPassword } from "../shop/sign-in/read-password.ts";
import type { Database } from "../shop/store/open-store.ts";
import { type Command, type CommandContext, defineCommand } from "./command.ts";

const kinds = {
  customer: {
    name: "account",
    accounts: customerAccounts,
    sessions: loginSessions,
    one: "a customer",
    everybody: "all customers",
    known: "has an account",
    unknown: "has no account",
  },
  staff: {
    name: "staff",
    accounts: staffAccounts,
    sessions: staffSessions,
    one: "a member of staff",
    everybody: "all members of staff",
    known: "is a member of staff",
    unknown: "is no member of staff",
  },
};

const setAccount = defineCommand({
  name: "account set",
  argument: "<address>",
  options: {
    salutation: { type: "string", value: "<value>", does: "MRS, MR, DIVERS or COMPANY" },
    "first-name": { type: "string", value: "<name>", does: "first name" },
    "last-name": { type: "string", value: "<name>", does: "last name" },
    consents: { type: "string", value: "<list>", does: "DNE and NEWSLETTER, with a comma between" },
  },
  does: "sets what forms are filled with for a customer; an empty text removes",
  async run({ openStore, output }, address, options) {
    await output.say(await setCustomer((await openStore()).db, address, options));
  },
});

const listStaff = defineCommand({
  name: "staff list",
  does: "lists the members of staff",
  async run({ openStore, output }) {
    const found = await staffAccounts.list((await openStore()).db);
    await output.list(found.map(({ email, locked, demo }) => ({ email, locked: locked === 1, demo: demo === 1 })));
  },
});

/** Creates what is done about accounts of one kind. */
export function createAccountCommands(kind: AccountKind): Command[] {
  const { name, accounts, sessions, one, everybody, known, unknown } = kinds[kind];
  const argument = "<address>";

  return [
    defineCommand({
      name: `${name} add`,
      argument,
      does: `adds ${one}, with a password from the standard input`,
      async run({ openStore, output }, address) {
        const { email, password } = await readNewAccount(address);
        const { db } = await openStore();
        if (!(await accounts.add(db, { email, password }))) throw new StartError([`${email} ${known}`]);
        await output.say(`${email} added`);
      },
    }),
    ...(kind === "customer" ? [setAccount] : [listStaff]),
    defineCommand({
      name: `${name} password`,
      argument,
      does: `sets the password of ${one} from the standard input, and signs them out everywhere`,
      async run(context, address) {
        const { db, account, report } = await open(context, address);
        await accounts.setPassword(db, account, await readPassword());
        report({ event: "authn_password_change", kind, account: account.loginName });
        await context.output.say(`${account.email} has a new password, and is signed out everywhere`);
      },
    }),
    defineCommand({
      name: `${name} sessions`,
      argument,
      does: `lists the sessions of ${one}`,
      async run(context, address) {
        const { db, account } = await open(context, address);
        const found = await sessions.list(db, account.id, Date.now());
        await context.output.list(
          found.map(({ hash, startedAt, expiresAt, endsAt }) => ({
            session: hash,
            startedAt: toIso(startedAt),
            expiresAt: toIso(expiresAt),
            endsAt: toIso(endsAt),
          })),
        );
      },
    }),
    defineCommand({
      name: `${name} sign-out`,
      argument,
      options: { session: { type: "string", value: "<session>", does: `ends that of \`${name} sessions\` alone` } },
      does: `ends the sessions of ${one}`,
      async run(context, address, { session }) {
        const { db, account, report } = await open(context, address);
        if (session === undefined) await accounts.signOut(db, account);
        else if (!(await sessions.endListed(db, account.id, session)))
          throw new StartError([`${account.email} has no session ${session}`]);
        report({ event: "authn_token_revoked", kind, account: account.loginName });
        await context.output.say(
          `${account.email} signed out ${session === undefined ? "everywhere" : "of one session"}`,
        );
      },
    }),
    defineCommand({
      name: `${name} sign-out-all`,
      does: `ends the sessions of ${everybody}`,
      async run({ logger, openStore, output }) {
        const { db } = await openStore();
        await accounts.signOutAll(db);
        (await openSecurityEvents(db, logger))({ event: "authn_token_revoked", kind });
        await output.say(`${everybody} signed out everywhere`);
      },
    }),
    defineCommand({
      name: `${name} lock`,
      argument,
      does: `keeps ${one} from signing in, and signs them out everywhere`,
      async run(context, address) {
        const { db, account, report } = await open(context, address);
        await accounts.setLocked(db, account, true);
        report({ event: "authn_login_lock", kind, account: account.loginName, reason: "command" });
        await context.output.say(`${account.email} locked, and signed out everywhere`);
      },
    }),
    defineCommand({
      name: `${name} unlock`,
      argument,
      does: `lets ${one} sign in again`,
      async run(context, address) {
        const { db, account, report } = await open(context, address);
        await accounts.setLocked(db, account, false);
        report({ event: "authn_login_unlock", kind, account: account.loginName });
        await context.output.say(`${account.email} unlocked`);
      },
    }),
    defineCommand({
      name: `${name} remove`,
      argument,
      does: `removes ${one}`,
      async run(context, address) {
        const { db, account } = await open(context, address);
        await accounts.remove(db, account);
        await context.output.say(`${account.email} removed`);
      },
    }),
  ];

  async function open(
    { logger, openStore }: CommandContext,
    address: string,
  ): Promise<{ db: Database; account: Account; report: ReportEvent }> {
    const { db } = await openStore();
    const account = await accounts.find(db, address);
    if (!account) throw new StartError([`${address} ${unknown}`]);
    return { db, account, report: await openSecurityEvents(db, logger) };
  }
}
