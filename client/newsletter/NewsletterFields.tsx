import type { SubscriptionField, SubscriptionValues } from "../rules/subscription.ts";
import { Checkbox } from "../widgets/checkbox/Checkbox.tsx";
import { Expandable } from "../widgets/expandable/Expandable.tsx";
import { EmailInput } from "../widgets/text-input/EmailInput.tsx";
import { LinkedText } from "./LinkedText.tsx";
import type { NewsletterProps } from "./newsletter-props.ts";
import { PersonFields } from "./PersonFields.tsx";
import type { NewsletterFormState } from "./use-newsletter-form.ts";

/** The fields: at first the address alone, and all of them as soon as somebody uses the form. */
export function NewsletterFields(props: NewsletterProps & NewsletterFormState) {
  const { texts, settings, faults, submitting } = props;
  const values = valuesOf(props);
  const errorOf = (field: SubscriptionField) => {
    const fault = faults.find((candidate) => candidate.field === field);
    return fault && texts[fault.key];
  };
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
            {texts.typo} <strong translate="no">{props.suggestion}</strong>
          </p>
        )}
      </div>
      <div className="sf-newsletter-extra">
        <PersonFields {...props} values={values} errorOf={errorOf} />
        {settings.legals && (
          <Checkbox
            name="consents"
            value="NEWSLETTER"
            label={<LinkedText segments={props.legalsLabel ?? []} />}
            defaultChecked={values?.consents.includes("NEWSLETTER")}
            required
            disabled={submitting}
            error={errorOf("legals")}
          />
        )}
        {!props.hasPersonalisedOffers && <PersonalisedOffers {...props} checked={values?.consents.includes("DNE")} />}
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
