import { useEffect, useRef } from "react";
import { Notification } from "../widgets/notification/Notification.tsx";
import type { NewsletterProps } from "./newsletter-props.ts";

interface SuccessMessageProps extends Pick<NewsletterProps, "level" | "texts"> {
  /** The sign-up that succeeded, with the address that was entered where that is known. */
  success: { email?: string } | undefined;
  /** Names the kind of message. */
  label: string;
}

/** Says that a confirmation mail is on its way. Render it empty from the start: screen readers notice only a change. */
export function SuccessMessage({ success, level, texts, label }: SuccessMessageProps) {
  const Heading = `h${level}` as const;
  const message = useRef<HTMLDivElement>(null);
  const shownFirst = useRef(success);

  useEffect(() => {
    if (success === shownFirst.current) return;
    message.current?.scrollIntoView({ block: "center" });
    message.current?.focus({ preventScroll: true });
  }, [success]);

  return (
    <Notification role="status" state="success" label={label}>
      {success && (
        <div ref={message} tabIndex={-1} className="sf-newsletter-success">
          <Heading className="sf-newsletter-title">{texts["success.heading"]}</Heading>
          <p>{texts["success.text"]}</p>
          {success.email && (
            <p>
              {texts["success.address"]} <strong translate="no">{success.email}</strong>
            </p>
          )}
          <p>{texts["success.spam"]}</p>
        </div>
      )}
    </Notification>
  );
}
