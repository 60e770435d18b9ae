import { useId } from "react";
import { Button } from "../widgets/button/Button.tsx";
import { ExpandableText } from "../widgets/expandable/ExpandableText.tsx";
import { Notification } from "../widgets/notification/Notification.tsx";
import { useHydrated } from "../widgets/use-hydrated.ts";
import { Honeypot } from "./Honeypot.tsx";
import { LinkedText } from "./LinkedText.tsx";
import { NewsletterFields } from "./NewsletterFields.tsx";
import { NewsletterPicture } from "./NewsletterPicture.tsx";
import type { NewsletterProps } from "./newsletter-props.ts";
import { useNewsletterForm } from "./use-newsletter-form.ts";

interface NewsletterFormProps extends NewsletterProps {
  hidden: boolean;
  /** @param email - the address that was entered */
  onSuccess: (email: string) => void;
}

/** The form with its picture. React controls none of its fields, so what was typed before the script came stays. */
export function NewsletterForm({ hidden, onSuccess, ...props }: NewsletterFormProps) {
  const { level, texts, widgetTexts } = props;
  const Heading = `h${level}` as const;
  const titleId = useId();
  const hydrated = useHydrated();
  const { attributes, ...state } = useNewsletterForm(props, onSuccess);
  const error = { state: "error", label: widgetTexts["notification.error"] } as const;
  return (
    <form
      {...attributes}
      className="sf-newsletter-form"
      action="/newsletter"
      method="post"
      noValidate={hydrated}
      aria-labelledby={titleId}
      hidden={hidden}
    >
      <input type="hidden" name="site" value={props.site} />
      <input type="hidden" name="origin" value={props.origin} />
      <input type="hidden" name="originAddition" value={props.originAddition} />
      <NewsletterPicture {...props} />
      <div className="sf-newsletter-content">
        <Heading id={titleId} className="sf-newsletter-title">
          {texts.title}
        </Heading>
        <p>{texts.intro}</p>
        <Notification {...error} role="alert">
          {state.failed && texts["bar.technical"]}
        </Notification>
        {state.invalidLink && <Notification {...error}>{texts["bar.invalidLink"]}</Notification>}
        <NewsletterFields {...props} {...state} />
        <Honeypot label={texts.honeypot} />
        <LegalText paragraphs={props.legal.slice(0, 1)} />
        <ExpandableText size="small" more={widgetTexts["expandable.more"]} less={widgetTexts["expandable.less"]}>
          <LegalText paragraphs={props.legal.slice(1)} />
        </ExpandableText>
        <Button type="submit" loading={state.submitting} loadingLabel={widgetTexts.loading}>
          {texts.submit}
        </Button>
      </div>
    </form>
  );
}

function LegalText({ paragraphs }: { paragraphs: NewsletterProps["legal"] }) {
  return paragraphs.map((segments) => (
    <p key={segments[0]?.text} className="sf-newsletter-legal">
      <LinkedText segments={segments} />
    </p>
  ));
}
