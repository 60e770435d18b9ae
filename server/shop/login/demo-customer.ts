import { createDemoAccountSeed } from "../sign-in/demo-account.ts";
import { customerAccounts } from "./customer-accounts.ts";

export const demoCustomer = {
  email: "demo@example.com",
  salutation: "MRS",
  firstName: "Erika",
  lastName: "Mustermann",
} as const;

export const seedDemoCustomer = createDemoAccountSeed(customerAccounts, demoCustomer);
