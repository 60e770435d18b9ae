import { useCallback, useEffect, useState } from "react";
import { readCookies } from "../../host-page/read-cookies.ts";
import { isPreviewed } from "../../host-page/track.ts";
import { type Milliseconds, minute } from "../../rules/time.ts";
import { checkPreview, type PreviewState, renewStaffLogin } from "./preview-service.ts";

type PreviewSession =
  | { status: "checking" | "signedOut" }
  | { status: "signedIn"; state: PreviewState }
  /** The check failed; `message` is the service's own, where it gives one. */
  | { status: "failed"; unauthorized: boolean; message: string };

/** The time between two renewals of the staff login. */
const interval: Milliseconds = 5 * minute;

/**
 * The login of staff and their preview. Checks both at the start and whenever staff return to the tab, because they may
 * have changed them in another tab. Renews their login meanwhile.
 */
export function usePreviewSession() {
  const [session, setSession] = useState<PreviewSession>({ status: "checking" });
  const signedIn = session.status === "signedIn";

  const signOut = useCallback(() => {
    setSession({ status: "signedOut" });
    // Without the bar nothing would show that the page is a preview.
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
    // The bar stays after a failed check, which doesn't say whether staff are signed in.
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
