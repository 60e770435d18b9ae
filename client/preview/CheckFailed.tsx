import { useState } from "react";
import texts from "../../locales/en/preview-panel.json";
import { Notification } from "../widgets/notification/Notification.tsx";
import { TextLink } from "../widgets/text-link/TextLink.tsx";
import { useStaffLogin } from "./use-staff-login.ts";

interface CheckFailedProps {
  /** Whether the service says that staff aren't signed in; otherwise it couldn't tell. */
  unauthorized: boolean;
  /** The service's own message; empty when it gives none. */
  message: string;
}

/** Tells staff why they see no panel, until they close it. */
export function CheckFailed({ unauthorized, message }: CheckFailedProps) {
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
