import { useEffect, useState } from "react";
import { IconSprite } from "../icons/IconSprite.tsx";
import { NewsletterForm } from "./NewsletterForm.tsx";
import type { NewsletterProps } from "./newsletter-props.ts";
import { SuccessMessage } from "./SuccessMessage.tsx";
import { trackSignUp } from "./track-sign-up.ts";

/** Signs visitors up for the newsletter; works as a plain form until its script has come. */
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
        <SuccessMessage success={success} level={level} texts={texts} label={widgetTexts["notification.success"]} />
        <NewsletterForm
          {...props}
          hidden={success !== undefined}
          onSuccess={(email) => setSuccess({ status: "success", email })}
        />
      </div>
    </IconSprite>
  );
}
