import { useId, useState } from "react";
import { Button } from "../button/Button.tsx";
import { Checkbox } from "../checkbox/Checkbox.tsx";
import { Salutation } from "../salutation/Salutation.tsx";
import { Select } from "../select/Select.tsx";
import type { WidgetTexts } from "../widget-texts.ts";
import { ErrorSummary, type ErrorSummaryProps } from "./ErrorSummary.tsx";

interface SpecimenProps extends Pick<ErrorSummaryProps, "level"> {
  texts: WidgetTexts;
  /** How many of the fields are wrong. */
  wrong: number;
}

/** The fields of a form under their error summary. The button acts as if the form had been sent with errors. */
export function ErrorSummarySpecimen({ texts, wrong, ...props }: SpecimenProps) {
  const [attempt, setAttempt] = useState(0);
  const ids = { salutation: useId(), grind: useId(), terms: useId() };
  const errors = [
    { fieldId: ids.salutation, text: "Please choose a salutation" },
    { fieldId: ids.grind, text: "Please choose a grind" },
    { fieldId: ids.terms, text: "Please agree to the conditions of the subscription" },
  ].slice(0, wrong);
  const errorOf = (id: string) => errors.find(({ fieldId }) => fieldId === id)?.text;
  return (
    <div className="sf-specimen-form">
      <ErrorSummary {...props} heading={texts["errorSummary.heading"]} errors={errors} attempt={attempt} />
      <Salutation id={ids.salutation} texts={texts} name={useId()} error={errorOf(ids.salutation)} />
      <Select
        id={ids.grind}
        label="Grind"
        name="grind"
        placeholder={texts["select.placeholder"]}
        entries={[{ name: "beans", text: "Whole beans", value: "BEANS" }]}
        error={errorOf(ids.grind)}
      />
      <Checkbox
        id={ids.terms}
        name="terms"
        label={
          <>
            I agree to the <a href="/service/subscription">conditions of the subscription</a>
          </>
        }
        error={errorOf(ids.terms)}
      />
      <Button onClick={() => setAttempt(attempt + 1)}>Subscribe</Button>
    </div>
  );
}
