import { type Env, usesEmbedded } from "../config/env.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind, ReportEvent } from "../platform/security-events.ts";
import type { Audit } from "../store/audit-events.ts";
import type { Database } from "../store/open-store.ts";
import { addAccount, findAccount, lockAccount, type NewAccount, setPassword, updateAccount } from "./accounts.ts";
import { checkPassword } from "./password-hash.ts";

/** The demo accounts, without their password. */
const demoAccounts = {
  customer: { email: "demo@example.com", salutation: "MRS", firstName: "Erika", lastName: "Mustermann" },
  staff: { email: "staff@example.com" },
} as const satisfies Record<AccountKind, Omit<NewAccount, "password">>;

/**
 * Adds the demo accounts to the embedded services. Their password comes from the environment or is derived from the
 * secret key, so that every start can print it.
 * @returns lines that print the credentials
 */
export async function seedDemoAccounts(db: Database, env: Env, keys: SecretKeys): Promise<string[]> {
  const { demoPassword } = env;
  const password = demoPassword ?? keys.signing("demo-password").toString("base64url").slice(0, 12);
  const unknown = "(password: as set at an earlier start)";
  const lines: string[] = [];
  const seed = async (kind: AccountKind, label: string) => {
    const hasPassword = await seedDemoAccount(db, kind, password, demoPassword !== undefined);
    lines.push(`${label}  ${demoAccounts[kind].email}  ${hasPassword ? password : unknown}`);
  };
  if (usesEmbedded(env, "login")) await seed("customer", "Customer");
  if (usesEmbedded(env, "preview")) await seed("staff", "Staff   ");
  if (lines.some((line) => line.endsWith(unknown))) lines.push("          To set another: DEMO_PASSWORD=… npm start");
  return lines;
}

/**
 * Adds a demo account, or unlocks the existing one. Several replicas may do this at once.
 * @param reset - whether an existing account gets the password, too
 * @returns whether the account has the password now
 */
async function seedDemoAccount(db: Database, kind: AccountKind, password: string, reset: boolean): Promise<boolean> {
  const demo = demoAccounts[kind];
  // Checked first, because hashing a password takes long.
  const existing = await findAccount(db, kind, demo.email);
  if (!existing && (await addAccount(db, kind, { ...demo, password, demo: true }))) return true;
  const account = existing ?? (await findAccount(db, kind, demo.email));
  if (!account) return false;
  // An operator's own account becomes a demo account when it gets the demo password.
  if (reset || account.demo === 1) await updateAccount(db, account.id, { demo: 1, locked: 0 });
  const right = await checkPassword(password, account.passwordHash);
  if (reset && !right) await setPassword(db, account.id, password);
  return reset || right;
}

/** Locks the demo accounts and signs them out everywhere. */
export async function lockDemoAccounts(db: Database, audit: Audit, report: ReportEvent): Promise<void> {
  const open = db.selectFrom("account").selectAll().where("demo", "=", 1).where("locked", "=", 0).orderBy("kind");
  for (const { id, kind, loginName } of await open.execute()) {
    const event = { event: "authn_login_lock", kind, account: loginName } as const;
    await audit.change(db, event, (transaction) => lockAccount(transaction, id));
    report({ ...event, reason: "demo" });
  }
}
