import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import texts from "../../../locales/en/preview-panel.json";
import { readCookies } from "../../host-page/read-cookies.ts";
import { isPreviewed } from "../../host-page/track.ts";
import { type Milliseconds, minute } from "../../rules/time.ts";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { TextLink } from "../../widgets/text-link/TextLink.tsx";
import { PreviewBar } from "./PreviewBar.tsx";
import { fetchPreview, hasStaffLogin, type PreviewState, renewStaffLogin } from "./preview-service.ts";

interface PreviewPanelProps {
  /** Code of the site that is previewed. */
  site: string;
  /** The site's locale, in which changes of the shop are listed. */
  locale: string;
  /** The site's time zone: a name of the IANA database. */
  timeZone: string;
}

/** The preview panel of staff. It is empty until the service confirms that they are signed in. */
export function PreviewPanel({ site, locale, timeZone }: PreviewPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const { session, check, signOut } = usePreviewSession(panel);
  return (
    <div ref={panel} tabIndex={-1} className="sf-preview-panel">
      {session.status === "failed" && <CheckFailed {...session} panel={panel} />}
      {session.status === "signedIn" && (
        <section aria-label={texts.region}>
          <PreviewBar
            state={session.state}
            site={site}
            locale={locale}
            timeZone={timeZone}
            onApply={check}
            onLogOut={signOut}
          />
        </section>
      )}
    </div>
  );
}

/**
 * Changes a panel at once, and keeps the focus there if the change removes what had it. Keyboard users would otherwise
 * start again at the top of the page.
 */
function changePanel({ current }: RefObject<HTMLElement | null>, change: () => void): void {
  const hadFocus = current?.contains(document.activeElement);
  flushSync(change);
  if (hadFocus && !current?.contains(document.activeElement)) current?.focus({ preventScroll: true });
}

interface CheckFailedProps extends FailedCheck {
  panel: RefObject<HTMLElement | null>;
}

/** Tells staff why they see no panel. They can close it. */
function CheckFailed({ unauthorized, message, panel }: CheckFailedProps) {
  const [closed, setClosed] = useState(false);
  const [hasLogin, setHasLogin] = useState(false);
  useEffect(() => {
    if (unauthorized) void hasStaffLogin().then(setHasLogin);
  }, [unauthorized]);
  return (
    <div className="sf-preview-fixed sf-preview-failed" role="alert">
      {!closed && (
        <Notification
          state="error"
          label={texts.error}
          close={{ label: texts.close, onClick: () => changePanel(panel, () => setClosed(true)) }}
        >
          {message || texts[unauthorized ? "check.unauthorized" : "check.failed"]}{" "}
          {hasLogin && (
            <TextLink href="/preview" iconPosition="none">
              {texts["check.signIn"]}
            </TextLink>
          )}
        </Notification>
      )}
    </div>
  );
}

interface FailedCheck {
  status: "failed";
  /** Whether the service says that staff aren't signed in; false if the check itself failed. */
  unauthorized: boolean;
  /** The service's message; empty if it sends none. */
  message: string;
}

type PreviewSession = { status: "checking" | "signedOut" } | { status: "signedIn"; state: PreviewState } | FailedCheck;

/** The time between two renewals of the staff login. */
const interval: Milliseconds = 5 * minute;

/**
 * The login of staff and their preview. Checks both at the start and when staff return to the tab, because another tab
 * may have changed them. Renews the login in between.
 */
function usePreviewSession(panel: RefObject<HTMLElement | null>) {
  const [session, setSession] = useState<PreviewSession>({ status: "checking" });
  const signedIn = session.status === "signedIn";

  const signOut = useCallback(() => {
    changePanel(panel, () => setSession({ status: "signedOut" }));
    // Without the bar nothing would show that the page is a preview.
    if (isPreviewed(document)) location.reload();
  }, [panel]);

  const check = useCallback(async () => {
    const checked = await fetchPreview();
    if (checked.status === "SUCCESS") return setSession({ status: "signedIn", state: checked.state });
    const unauthorized = checked.status === "UNAUTHORIZED";
    const failed: FailedCheck = { status: "failed", unauthorized, message: checked.message };
    // The bar stays after a failed check, which doesn't say whether staff are signed in.
    changePanel(panel, () => setSession((known) => (known.status === "signedIn" && !unauthorized ? known : failed)));
  }, [panel]);

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
