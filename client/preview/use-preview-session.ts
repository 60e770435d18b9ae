import { useCallback, useEffect, useState } from "react";
import { isPreviewed } from "../host-page/is-previewed.ts";
import { readCookies } from "../host-page/read-cookies.ts";
import { checkPreview, type PreviewState, renewStaffLogin } from "../services/preview-service.ts";

export type PreviewSession =
  | { status: "checking" | "signedOut" }
  | { status: "signedIn"; state: PreviewState }
  /** The check failed; `message` is the service's own, where it gives one. */
  | { status: "failed"; unauthorized: boolean; message: string };

/** Between two renewals of the staff login, in milliseconds. */
const interval = 5 * 60_000;

/**
 * Whether staff are signed in, and what they preview: checked at the start, and whenever they come back to the tab,
 * because other tabs change it, too. Keeps the login alive meanwhile.
 */
export function usePreviewSession() {
  const [session, setSession] = useState<PreviewSession>({ status: "checking" });
  const signedIn = session.status === "signedIn";

  const signOut = useCallback(() => {
    setSession({ status: "signedOut" });
    // It would go on showing what nothing says any more.
    if (isPreviewed(document)) location.reload();
  }, []);

  const check = useCallback(async () => {
    const checked = await checkPreview();
    if (checked.status === "SUCCESS") return setSession({ status: "signedIn", state: checked.state });
    const failed = {
      status: "failed",
      unauthorized: checked.status === "UNAUTHORIZED",
      message: checked.message,
    } as const;
    // Who is signed in stays so while the service can't tell.
    setSession((known) => (known.status === "signedIn" && !failed.unauthorized ? known : failed));
  }, []);

  useEffect(() => {
    void check();
  }, [check]);

  useEffect(() => {
    if (!signedIn) return;
    const renew = async () => {
      if ((await renewStaffLogin()) === "UNAUTHORIZED") await check();
    };
    const look = () => {
      if (document.visibilityState === "hidden") return;
      if (readCookies(document.cookie).preview) void check();
      else signOut();
    };
    void renew();
    const timer = setInterval(renew, interval);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [signedIn, check, signOut]);

  return { session, check, signOut };
}
