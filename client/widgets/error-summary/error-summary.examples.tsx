import type { WidgetDoc, WidgetExample } from "../widget-doc.ts";
import { ErrorSummary, errorSummaryLevels } from "./ErrorSummary.tsx";
import { ErrorSummarySpecimen } from "./ErrorSummarySpecimen.tsx";

const code = `const [attempt, setAttempt] = useState(0);
const emailId = useId();
const errors = [{ fieldId: emailId, text: "…" }, …];

<ErrorSummary heading={texts["errorSummary.heading"]} errors={errors} attempt={attempt} />
<TextInput id={emailId} label="…" error="…" />`;

export const errorSummaryDoc: WidgetDoc = {
  widget: "error-summary",
  title: "Error summary",
  group: "forms",
  purpose: "Names everything that is wrong in a form that was sent, and leads to each field.",
  properties: [
    { name: "heading", type: "string", text: "Says that something is to be checked." },
    {
      name: "errors",
      type: "{ fieldId, text }[]",
      text: "In the order of the fields, with the fields' own messages. Fewer than two show nothing.",
    },
    {
      name: "attempt",
      type: "number",
      standard: "0",
      text: "How often the form was sent in vain: as it grows, the focus moves to the summary, or to the only wrong field.",
    },
    {
      name: "level",
      type: errorSummaryLevels,
      standard: "h2",
      text: "Level of the heading, one below that of the form.",
    },
  ],
  do: [
    "Put it at the top of the form, from the start: it is nothing as long as there is nothing to say.",
    "Use the same words as at the field.",
    "Begin the title of a page that answers a form without script with what went wrong.",
  ],
  dont: ["Don’t show it before the form was sent.", "Don’t put errors in it that no field is to blame for."],
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
    "When the form was sent in vain, the focus moves to the summary, so its heading is said first.",
    "Each of its links leads to the field itself and puts the focus there.",
    "A single error has no summary: the focus moves to the field.",
  ],
  playground: {
    start: { heading: "Please check your entries", level: "" },
    render: ({ heading, ...properties }, texts) => (
      <ErrorSummarySpecimen texts={{ ...texts, "errorSummary.heading": String(heading) }} wrong={3} {...properties} />
    ),
    tag: "ErrorSummary errors={errors} attempt={attempt}",
  },
  picture: (texts) => (
    <ErrorSummary
      heading={texts["errorSummary.heading"]}
      errors={[
        { fieldId: "grind", text: "Please choose a grind" },
        { fieldId: "terms", text: "Please agree to the conditions" },
      ]}
    />
  ),
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
