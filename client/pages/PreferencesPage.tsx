import { Fragment } from "react";
import { LinkedText } from "../features/newsletter/NewsletterFields.tsx";
import type { TextSegment } from "../rules/newsletter-block.ts";
import type { SalutationValue } from "../rules/salutations.ts";
import type { SubscriptionField } from "../rules/subscription.ts";
import { Button } from "../widgets/button/Button.tsx";
import { Checkbox } from "../widgets/checkbox/Checkbox.tsx";
import { ErrorSummary } from "../widgets/error-summary/ErrorSummary.tsx";
import { Notification } from "../widgets/notification/Notification.tsx";
import { Salutation, type SalutationTexts } from "../widgets/salutation/Salutation.tsx";
import { EmailInput } from "../widgets/text-input/EmailInput.tsx";
import { InputBase } from "../widgets/text-input/InputBase.tsx";
import { UnbrokenWords } from "../widgets/UnbrokenWords.tsx";
import { ShopPage, type ShopPageProps } from "./ShopPage.tsx";

export interface PreferencesPageProps extends Omit<ShopPageProps, "description"> {
  heading: string;
  text: string;
  /** What has happened, or what is wrong with the link. */
  notice?: { state: "success" | "error" | "info"; label: string; text: string };
  /** The form with the subscriber's data. */
  form?: PreferencesFormProps;
  /** The button that ends the subscription. On a page for that alone, heading and text are the page's. */
  end?: { token: string; heading?: string; text?: string; button: string };
  /** The form that asks for a link by email. On a page for that alone, heading and text are the page's. */
  request?: RequestFormProps;
}

/** The subscriber's page. Its forms need no script. */
export function PreferencesPage({ heading, text, notice, form, end, request, ...page }: PreferencesPageProps) {
  return (
    <ShopPage {...page} description={text}>
      <div className="sf-preferences">
        <h1>{heading}</h1>
        {notice && (
          <Notification state={notice.state} label={notice.label}>
            <UnbrokenWords text={notice.text} />
          </Notification>
        )}
        <p>
          <UnbrokenWords text={text} />
        </p>
        {form && <PreferencesForm {...form} />}
        {end && (
          <form method="post" action="/newsletter/unsubscribe">
            <SectionText {...end} />
            <input type="hidden" name="token" value={end.token} />
            <Button type="submit" variant={form ? "secondary" : "primary-fill"}>
              {end.button}
            </Button>
          </form>
        )}
        {request && <RequestForm {...request} />}
      </div>
    </ShopPage>
  );
}

function SectionText({ heading, text }: { heading?: string; text?: string }) {
  return (
    <>
      {heading && <h2>{heading}</h2>}
      {text && (
        <p>
          <UnbrokenWords text={text} />
        </p>
      )}
    </>
  );
}

/** A field of the form with the subscriber's names. */
type NameField = "salutation" | "firstName" | "lastName";

export interface PreferencesFormProps {
  token: string;
  values: {
    salutation?: SalutationValue | null | undefined;
    firstName?: string | null | undefined;
    lastName?: string | null | undefined;
  };
  /** The name fields in the country's usual order, and whether it requires them. */
  names: readonly { name: "firstName" | "lastName"; label: string; autoComplete: string }[];
  required: { salutation: boolean; names: boolean };
  /** What is wrong with fields. */
  errors: Partial<Record<SubscriptionField, string>>;
  /** The topics that the country offers; empty if it offers none. */
  categories: readonly { value: string; label: string; checked: boolean }[];
  /** The consent to personalised offers. */
  offers: { label: TextSegment[]; checked: boolean };
  texts: Record<"person" | "categories" | "categoriesHint" | "offers" | "submit" | "errors" | "optional", string>;
  salutationTexts: SalutationTexts;
}

const idOf = (field: string) => `preferences-${field}`;

function PreferencesForm(props: PreferencesFormProps) {
  const { values, errors, texts, required, categories, offers } = props;
  const wrong = Object.entries(errors).map(([field, text]) => ({ fieldId: idOf(field), text }));
  const field = (name: NameField, isRequired: boolean) => ({
    id: idOf(name),
    error: errors[name],
    // Without a summary, the answer to a form starts with its one wrong field.
    autoFocus: wrong.length === 1 && errors[name] !== undefined,
    ...(isRequired ? { required: true } : { optionalLabel: texts.optional }),
  });
  return (
    <form method="post" action="/newsletter/preferences">
      <input type="hidden" name="token" value={props.token} />
      <ErrorSummary heading={texts.errors} errors={wrong} attempt={wrong.length > 0 ? 1 : 0} />
      <fieldset>
        <legend>{texts.person}</legend>
        <Salutation
          as="select"
          texts={props.salutationTexts}
          defaultValue={values.salutation ?? undefined}
          {...field("salutation", required.salutation)}
        />
        {props.names.map(({ name, ...input }) => (
          <Fragment key={name}>
            <InputBase
              type="text"
              name={name}
              defaultValue={values[name] ?? undefined}
              {...input}
              {...field(name, required.names)}
            />
          </Fragment>
        ))}
      </fieldset>
      {categories.length > 0 && (
        <fieldset aria-describedby={idOf("hint")}>
          <legend>{texts.categories}</legend>
          <p id={idOf("hint")}>{texts.categoriesHint}</p>
          <div className="sf-preferences-categories">
            {categories.map(({ value, label, checked }) => (
              <Checkbox key={value} name="categories" value={value} label={label} defaultChecked={checked} />
            ))}
          </div>
        </fieldset>
      )}
      <fieldset>
        <legend>{texts.offers}</legend>
        <Checkbox
          name="consents"
          value="DNE"
          label={<LinkedText segments={offers.label} />}
          defaultChecked={offers.checked}
        />
      </fieldset>
      <Button type="submit">{texts.submit}</Button>
    </form>
  );
}

interface RequestFormProps {
  site: string;
  heading?: string;
  text?: string;
  label: string;
  button: string;
  email?: string;
  error?: string;
}

/** Asks for a link by email. */
function RequestForm({ site, label, button, email, error, ...section }: RequestFormProps) {
  return (
    <form method="post" action="/newsletter/preferences">
      <SectionText {...section} />
      <input type="hidden" name="site" value={site} />
      <EmailInput
        id={idOf("email")}
        name="email"
        label={label}
        defaultValue={email}
        required
        error={error}
        autoFocus={error !== undefined}
      />
      <Button type="submit">{button}</Button>
    </form>
  );
}
