import { useEffect, useState } from "react";
import { hasStaffLogin } from "../services/has-staff-login.ts";

/**
 * Tells whether the page where staff sign in can be linked to.
 * @param isWanted - nobody is asked otherwise
 */
export function useStaffLogin(isWanted: boolean): boolean {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    if (isWanted) void hasStaffLogin().then(setIsThere);
  }, [isWanted]);
  return isThere;
}
