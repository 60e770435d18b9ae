import { useEffect, useId, useRef, useState } from "react";
import type { NewsletterProps } from "../../rules/newsletter-block.ts";
import { honeypotName } from "../../rules/subscription.ts";
import { Banderole } from "../../widgets/banderole/Banderole.tsx";
import { Button } from "../../widgets/button/Button.tsx";
import { ExpandableText } from "../../widgets/expandable/Expandable.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { UnbrokenWords } from "../../widgets/UnbrokenWords.tsx";
import { useHydrated } from "../../widgets/use-hydrated.ts";
import { LinkedText, NewsletterFields } from "./NewsletterFields.tsx";
import { trackSignUp, useNewsletterForm } from "./use-newsletter-form.ts";

/** The newsletter sign-up. It works as a plain form until its script has loaded. */
export function NewsletterBlock(props: NewsletterProps) {
  const { answer, level, texts, widgetTexts } = props;
  const tracked = answer?.status === "success" && answer.tracked;
  useEffect(() => {
    if (tracked) trackSignUp(tracked);
  }, [tracked]);
  const [success, setSuccess] = useState(answer?.status === "success" ? answer : undefined);
  return (
    <div className="sf-newsletter">
      <SuccessMessage success={success} level={level} texts={texts} label={widgetTexts["notification.info"]} />
      <NewsletterForm
        {...props}
        hidden={success !== undefined}
        onSuccess={(email) => setSuccess({ status: "success", email })}
      />
    </div>
  );
}

interface SuccessMessageProps extends Pick<NewsletterProps, "level" | "texts"> {
  /** Set after a successful sign-up, with the entered address if it is known. */
  success: { email?: string } | undefined;
  /** The name of the message's kind, for screen readers. */
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
          <Heading>{texts["success.heading"]}</Heading>
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

interface NewsletterFormProps extends NewsletterProps {
  hidden: boolean;
  /** @param email - the entered address */
  onSuccess: (email: string) => void;
}

/** The form with its picture. React controls none of its fields, which keeps what was typed before hydration. */
function NewsletterForm({ hidden, onSuccess, ...props }: NewsletterFormProps) {
  const { level, texts, widgetTexts } = props;
  const Heading = `h${level}` as const;
  const titleId = useId();
  const hydrated = useHydrated();
  const { attributes, ...state } = useNewsletterForm(props, onSuccess);
  const error = { state: "error", label: widgetTexts["notification.error"] } as const;
  return (
    <form
      {...attributes}
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
        <Heading id={titleId}>{texts.title}</Heading>
        <p>
          <UnbrokenWords text={texts.intro} />
        </p>
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

/** A field that people neither see nor reach, and that browsers and password managers don't fill: only bots do. */
function Honeypot({ label }: { label: string }) {
  return (
    <div className="sf-visually-hidden" aria-hidden="true">
      <label>
        {label}
        <input
          type="text"
          name={honeypotName}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore=""
          data-bwignore=""
          data-form-type="other"
          data-lpignore="true"
        />
      </label>
    </div>
  );
}

/**
 * The picture, under a banderole if there is a voucher. The stylesheet sets its size. Narrow windows neither show nor
 * load it.
 */
function NewsletterPicture({ pictures, voucher }: Pick<NewsletterProps, "pictures" | "voucher">) {
  const picture = (
    <picture>
      <source media="(min-width: 1024px)" srcSet={pictures.desktop} />
      <source media="(min-width: 767px)" srcSet={pictures.tablet} />
      <img src={pictures.tablet} alt="" loading="lazy" />
    </picture>
  );
  if (!voucher) return picture;
  return (
    <div>
      <Banderole discount={voucher.discount} text={voucher.name}>
        {picture}
      </Banderole>
    </div>
  );
}
