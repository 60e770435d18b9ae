import { StartError } from "../../errors.ts";
import { readNewAccount } from "../login/read-new-account.ts";
import type { Database } from "../store/open-store.ts";
import { addStaff, findStaff, removeStaff, setStaffLocked } from "./staff.ts";

/**
 * What operators do with the member of staff of an address. Each returns a line that says what was done.
 * @throws StartError when it can't be done
 */
export const staffCommands = {
  async "staff add"(db: Database, address: string): Promise<string> {
    const { email, password } = await readNewAccount(address);
    if (!(await addStaff(db, email, password))) throw new StartError([`${email} is a member of staff`]);
    return `${email} added`;
  },
  async "staff lock"(db: Database, address: string): Promise<string> {
    const member = await memberOf(db, address);
    await setStaffLocked(db, member, true);
    return `${member.email} locked, and signed out everywhere`;
  },
  async "staff unlock"(db: Database, address: string): Promise<string> {
    const member = await memberOf(db, address);
    await setStaffLocked(db, member, false);
    return `${member.email} unlocked`;
  },
  async "staff remove"(db: Database, address: string): Promise<string> {
    const member = await memberOf(db, address);
    await removeStaff(db, member);
    return `${member.email} removed`;
  },
};

async function memberOf(db: Database, address: string) {
  const member = await findStaff(db, address);
  if (!member) throw new StartError([`${address} is no member of staff`]);
  return member;
}
