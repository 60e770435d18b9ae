import { useEffect, useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { IconSprite } from "../../icons/Icon.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { TextLink } from "../../widgets/text-link/TextLink.tsx";
import { PreviewBar } from "./PreviewBar.tsx";
import { hasStaffLogin } from "./preview-service.ts";
import { usePreviewSession } from "./use-preview-session.ts";

interface PreviewPanelProps {
  /** Code of the site that is previewed. */
  site: string;
  /** The site's locale, in which changes of the shop are listed. */
  locale: string;
  /** The site's time zone: a name of the IANA database. */
  timeZone: string;
  /** Address of the icon sprite. */
  sprite: string;
}

/** The preview panel of staff. It is empty until the service confirms that they are signed in. */
export function PreviewPanel({ site, locale, timeZone, sprite }: PreviewPanelProps) {
  const { session, check, signOut } = usePreviewSession();
  return (
    <IconSprite url={sprite}>
      {session.status === "failed" && <CheckFailed {...session} />}
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
    </IconSprite>
  );
}

interface CheckFailedProps {
  /** Whether the service says that staff aren't signed in; false if the check itself failed. */
  unauthorized: boolean;
  /** The service's message; empty if it sends none. */
  message: string;
}

/** Tells staff why they see no panel. They can close it. */
function CheckFailed({ unauthorized, message }: CheckFailedProps) {
  const [closed, setClosed] = useState(false);
  const hasLogin = useStaffLogin(unauthorized);
  return (
    <div className="sf-preview-fixed sf-preview-failed" role="alert">
      {!closed && (
        <Notification state="error" label={texts.error} close={{ label: texts.close, onClick: () => setClosed(true) }}>
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

/**
 * Whether the staff login page can be linked to.
 * @param isWanted - sends no request if false
 */
function useStaffLogin(isWanted: boolean): boolean {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    if (isWanted) void hasStaffLogin().then(setIsThere);
  }, [isWanted]);
  return isThere;
}
