import { useId, useState } from "react";
import { Button } from "../button/Button.tsx";
import { Checkbox } from "../checkbox/Checkbox.tsx";
import { Salutation } from "../salutation/Salutation.tsx";
import { Select } from "../select/Select.tsx";
import type { WidgetDoc, WidgetExample, WidgetTexts } from "../widget-doc.ts";
import { ErrorSummary, errorSummaryLevels } from "./ErrorSummary.tsx";

interface SpecimenProps {
  level?: (typeof errorSummaryLevels)[number];
  texts: WidgetTexts;
  /** How many of the fields are wrong. */
  wrong: number;
}

/** The fields of a form under their error summary. The button acts as if the form had been submitted with errors. */
function ErrorSummarySpecimen({ texts, wrong, ...props }: SpecimenProps) {
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
        name={ids.terms}
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

const code = `const [attempt, setAttempt] = useState(0);
const emailId = useId();
const errors = [{ fieldId: emailId, text: "…" }, …];

<ErrorSummary heading={texts["errorSummary.heading"]} errors={errors} attempt={attempt} />
<TextInput id={emailId} label="…" error="…" />`;

export const errorSummaryDoc: WidgetDoc = {
  widget: "error-summary",
  title: "Error summary",
  group: "forms",
  purpose: "Lists the errors of a submitted form, with a link to each field.",
  do: [
    "Render it at the top of the form from the start. It stays empty until there are errors.",
    "Use the same words as next to the field.",
    "If the form works without JavaScript, start the title of the page that reports errors with “Error”.",
  ],
  dont: ["Don’t show it before the form is submitted.", "Don’t list errors that don’t belong to a field."],
  texts: [
    "errorSummary.heading",
    "select.placeholder",
    "salutation.label",
    "salutation.mrs",
    "salutation.mr",
    "salutation.divers",
    "salutation.company",
  ],
  accessibility: [
    "After a failed submission, focus moves to the summary, so that screen readers read its heading first.",
    "Each link moves the focus to its field.",
    "A single error has no summary: focus moves straight to the field.",
  ],
  picture: (texts) => <ErrorSummarySpecimen texts={texts} wrong={2} />,
  examples: [
    ...errorSummaryLevels.map(
      (level): WidgetExample => ({
        name: `heading ${level}`,
        variant: level,
        state: "error",
        render: (texts) => <ErrorSummarySpecimen level={level} texts={texts} wrong={3} />,
        code,
      }),
    ),
    {
      name: "one error",
      state: "error",
      render: (texts) => <ErrorSummarySpecimen texts={texts} wrong={1} />,
      code,
    },
  ],
};
