import type { Env } from "../env.ts";
import type { ReportEvent } from "../security-events.ts";
import { customerAccounts } from "./login/customer-accounts.ts";
import { demoCustomer, seedDemoCustomer } from "./login/demo-customer.ts";
import { demoStaff, seedDemoStaff } from "./preview/demo-staff.ts";
import { staffAccounts } from "./preview/staff-accounts.ts";
import { createDemoPassword } from "./sign-in/demo-account.ts";
import type { Database } from "./store/open-store.ts";

/**
 * Adds the demo's customer and member of staff to the embedded services.
 * @returns lines that tell the credentials, as the store doesn't keep a password that was made up
 */
export async function seedSignIns(
  db: Database,
  { demoPassword, upstreams }: Pick<Env, "demoPassword" | "upstreams">,
): Promise<string[]> {
  const password = demoPassword ?? createDemoPassword();
  const isGiven = demoPassword !== undefined;
  const unknown = "(password: as printed at the first start)";
  const tell = (isValid: boolean) => (isValid ? password : unknown);
  const lines: string[] = [];
  if (!upstreams.login)
    lines.push(`Customer  ${demoCustomer.email}  ${tell(await seedDemoCustomer(db, password, isGiven))}`);
  if (!upstreams.preview) lines.push(`Staff     ${demoStaff}  ${tell(await seedDemoStaff(db, password, isGiven))}`);
  if (lines.some((line) => line.endsWith(unknown))) lines.push("          To set another: DEMO_PASSWORD=… npm start");
  return lines;
}

/** Locks the demo's customer and member of staff, if they are there, and signs them out everywhere. */
export async function lockDemoSignIns(db: Database, report: ReportEvent): Promise<void> {
  for (const accounts of [customerAccounts, staffAccounts]) {
    for (const { loginName } of await accounts.lockDemo(db))
      report({ event: "authn_login_lock", kind: accounts.kind, account: loginName, reason: "demo" });
  }
}
