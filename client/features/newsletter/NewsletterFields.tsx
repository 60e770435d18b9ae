import { useId } from "react";
import { linkTarget } from "../../rules/link-target.ts";
import type { NewsletterProps, TextSegment } from "../../rules/newsletter-block.ts";
import type { SubscriptionField, SubscriptionValues } from "../../rules/subscription.ts";
import { Checkbox } from "../../widgets/checkbox/Checkbox.tsx";
import { Expandable } from "../../widgets/expandable/Expandable.tsx";
import { Salutation } from "../../widgets/salutation/Salutation.tsx";
import { EmailInput } from "../../widgets/text-input/EmailInput.tsx";
import { InputBase } from "../../widgets/text-input/InputBase.tsx";
import { UnbrokenWords } from "../../widgets/UnbrokenWords.tsx";
import type { NewsletterFormState } from "./use-newsletter-form.ts";

interface NewsletterFieldsProps extends NewsletterProps, Omit<NewsletterFormState, "attributes"> {}

/** The fields: at first the address alone, and all of them as soon as a visitor uses the form. */
export function NewsletterFields(props: NewsletterFieldsProps) {
  const { texts, settings, faults, submitting } = props;
  const values = valuesOf(props);
  const typoId = useId();
  const errorOf = (field: SubscriptionField) => {
    const fault = faults.find((candidate) => candidate.field === field);
    return fault && texts[fault.key];
  };
  const personalisedOffers = !props.hasPersonalisedOffers && (
    <PersonalisedOffers {...props} checked={values?.consents.includes("DNE")} />
  );
  return (
    <div className="sf-newsletter-fields" data-extended={props.extended || undefined}>
      <EmailInput
        name="email"
        label={texts["email.label"]}
        placeholder=" "
        defaultValue={values?.email}
        required
        disabled={submitting}
        error={errorOf("email")}
      />
      <div aria-live="polite">
        {props.suggestion && (
          <p className="sf-field-hint">
            <span id={typoId}>{texts.typo}</span>{" "}
            <button
              type="button"
              className="sf-newsletter-suggestion"
              translate="no"
              aria-describedby={typoId}
              disabled={submitting}
              onClick={props.acceptSuggestion}
            >
              {props.suggestion}
            </button>
          </p>
        )}
      </div>
      <div className="sf-newsletter-extra">
        <PersonFields {...props} values={values} errorOf={errorOf} />
        {settings.legals ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would need styles of its own
          <div role="group" className="sf-newsletter-extra" aria-label={texts.title}>
            <Checkbox
              name="consents"
              value="NEWSLETTER"
              label={<LinkedText segments={props.legalsLabel ?? []} />}
              defaultChecked={values?.consents.includes("NEWSLETTER")}
              required
              disabled={submitting}
              error={errorOf("legals")}
            />
            {personalisedOffers}
          </div>
        ) : (
          personalisedOffers
        )}
      </div>
    </div>
  );
}

interface PersonalisedOffersProps extends NewsletterProps, Pick<NewsletterFormState, "submitting"> {
  checked: boolean | undefined;
}

function PersonalisedOffers({ settings, texts, submitting, checked, ...props }: PersonalisedOffersProps) {
  const checkbox = (
    <Checkbox
      name="consents"
      value="DNE"
      label={<LinkedText segments={props.personalisedOffersLabel} />}
      defaultChecked={checked}
      disabled={submitting}
    />
  );
  if (settings.personalisedOffers === "inline") return checkbox;
  return (
    <Expandable summary={texts["personalisedOffers.heading"]} open={checked ?? false}>
      {checkbox}
    </Expandable>
  );
}

function valuesOf({ answer }: NewsletterProps): SubscriptionValues | undefined {
  return answer && "values" in answer ? answer.values : undefined;
}

interface PersonFieldsProps extends NewsletterProps, Pick<NewsletterFormState, "locked" | "submitting"> {
  values: SubscriptionValues | undefined;
  errorOf: (field: SubscriptionField) => string | undefined;
}

/** Salutation and names. */
function PersonFields({ settings, texts, widgetTexts, locked, submitting, values, errorOf }: PersonFieldsProps) {
  const needed = (rule: "required" | "optional") =>
    rule === "required" ? { required: true } : { optionalLabel: widgetTexts.optional };
  return (
    <>
      <Salutation
        as="select"
        texts={widgetTexts}
        defaultValue={values?.salutation ?? undefined}
        disabled={submitting || locked.includes("salutation")}
        error={errorOf("salutation")}
        {...needed(settings.salutation)}
      />
      <div className="sf-newsletter-names">
        {settings.nameFields.map((name) => (
          <InputBase
            key={name}
            type="text"
            name={name}
            label={texts[`${name}.label`]}
            autoComplete={name === "firstName" ? "given-name" : "family-name"}
            defaultValue={values?.[name] ?? undefined}
            disabled={submitting || locked.includes(name)}
            error={errorOf(name)}
            {...needed(settings.names)}
          />
        ))}
      </div>
      {locked.length > 0 && <p className="sf-field-hint">{texts["customer.locked"]}</p>}
    </>
  );
}

/** A text with links. */
export function LinkedText({ segments }: { segments: TextSegment[] }) {
  return segments.map(({ text, url, isOwn }) =>
    url === undefined ? (
      <UnbrokenWords key={text} text={text} />
    ) : (
      <a key={text} {...linkTarget(url, isOwn ? false : undefined)}>
        {text}
      </a>
    ),
  );
}
