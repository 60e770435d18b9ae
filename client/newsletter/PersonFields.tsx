import type { SubscriptionField, SubscriptionValues } from "../rules/subscription.ts";
import { Salutation } from "../widgets/salutation/Salutation.tsx";
import { InputBase } from "../widgets/text-input/InputBase.tsx";
import type { NewsletterProps } from "./newsletter-props.ts";
import type { NewsletterFormState } from "./use-newsletter-form.ts";

interface PersonFieldsProps extends NewsletterProps, Pick<NewsletterFormState, "locked" | "submitting"> {
  values: SubscriptionValues | undefined;
  errorOf: (field: SubscriptionField) => string | undefined;
}

/** The fields that say how to address the visitor: salutation and names. */
export function PersonFields({ settings, texts, widgetTexts, locked, submitting, values, errorOf }: PersonFieldsProps) {
  const needed = (rule: "required" | "optional") =>
    rule === "required" ? { required: true } : { optionalLabel: widgetTexts.optional };
  return (
    <>
      <Salutation
        as="select"
        texts={widgetTexts}
        defaultValue={values?.salutation}
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
            defaultValue={values?.[name]}
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
