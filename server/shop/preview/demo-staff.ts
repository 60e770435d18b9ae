import { checkPassword } from "../sign-in/password-hash.ts";
import type { Database } from "../store/open-store.ts";
import { addStaff, findStaff, setStaffPassword } from "./staff.ts";

export const demoStaff = "staff@example.com";

/**
 * Adds the demo's member of staff, unless they are there; several replicas may do so at once.
 * @param reset - gives one who is there the password, too
 * @returns whether they have the password now
 */
export async function seedDemoStaff(db: Database, password: string, reset: boolean): Promise<boolean> {
  const added = await addStaff(db, demoStaff, password);
  if (added || !reset) return added;
  const member = await findStaff(db, demoStaff);
  if (!member) return false;
  const { right } = await checkPassword(password, member.passwordHash);
  if (!right) await setStaffPassword(db, member, password);
  return true;
}
