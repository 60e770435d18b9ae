import { createDemoAccountSeed } from "../sign-in/demo-account.ts";
import { staffAccounts } from "./staff-accounts.ts";

export const demoStaff = "staff@example.com";

export const seedDemoStaff = createDemoAccountSeed(staffAccounts, { email: demoStaff });
