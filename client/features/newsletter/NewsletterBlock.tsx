import { useEffect, useRef, useState } from "react";
import { IconSprite } from "../../icons/Icon.tsx";
import type { NewsletterProps } from "../../rules/newsletter-block.ts";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { UnbrokenWords } from "../../widgets/UnbrokenWords.tsx";
import { NewsletterForm } from "./NewsletterForm.tsx";
import { trackSignUp } from "./use-newsletter-form.ts";

/** The newsletter sign-up. It works as a plain form until its script has loaded. */
export function NewsletterBlock(props: NewsletterProps) {
  const { answer, level, sprite, texts, widgetTexts } = props;
  const tracked = answer?.status === "success" && answer.tracked;
  useEffect(() => {
    if (tracked) trackSignUp(tracked);
  }, [tracked]);
  const [success, setSuccess] = useState(answer?.status === "success" ? answer : undefined);
  return (
    <IconSprite url={sprite}>
      <div className="sf-newsletter">
        <SuccessMessage success={success} level={level} texts={texts} label={widgetTexts["notification.info"]} />
        <NewsletterForm
          {...props}
          hidden={success !== undefined}
          onSuccess={(email) => setSuccess({ status: "success", email })}
        />
      </div>
    </IconSprite>
  );
}

interface SuccessMessageProps extends Pick<NewsletterProps, "level" | "texts"> {
  /** The successful sign-up, with the entered address if it is known. */
  success: { email?: string } | undefined;
  /** The name of the kind of message. */
  label: string;
}

/** Announces the confirmation mail. Render it empty first: screen readers only notice a change. */
function SuccessMessage({ success, level, texts, label }: SuccessMessageProps) {
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
          <p>
            <UnbrokenWords text={texts["success.text"]} />
          </p>
          {success.email && (
            <p>
              {texts["success.address"]} <strong translate="no">{success.email}</strong>
            </p>
          )}
          <p>
            <UnbrokenWords text={texts["success.spam"]} />
          </p>
        </div>
      )}
    </Notification>
  );
}
