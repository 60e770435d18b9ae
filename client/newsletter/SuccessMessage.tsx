import { useEffect, useRef } from "react";
import { Notification } from "../widgets/notification/Notification.tsx";
import type { NewsletterProps } from "./newsletter-props.ts";

interface SuccessMessageProps extends Pick<NewsletterProps, "level" | "texts"> {
  /** With the address that was entered, where it is known. */
  success: { email?: string } | undefined;
  /** Names the kind of message. */
  label: string;
}

/** Says that a confirmation mail is on its way. There from the start, empty, so that screen readers notice it filled. */
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
