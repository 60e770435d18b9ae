import type { WidgetDoc } from "../widget-doc.ts";
import { DateInput } from "./DateInput.tsx";

export const dateInputDoc: WidgetDoc = {
  widget: "date-input",
  title: "Date input",
  group: "forms",
  purpose: "Takes a day, typed or from the browser’s own calendar.",
  do: ["Use it for days near today, such as a delivery.", "Give min and max where not every day will do."],
  dont: [
    "Don’t name a format in the label or hint: it is the browser’s language’s. The value is always YYYY-MM-DD, ten characters.",
    "Don’t rely on min and max alone: the server checks them, too.",
  ],
  texts: ["valid"],
  accessibility: [
    "It is the browser’s own field: each part can be typed, and the calendar works with the keyboard.",
    "Label, hint and error are tied to the input; an error that comes later is said.",
    "Screen readers don’t say min and max: name the limits in the hint.",
  ],
  examples: [
    { name: "default", state: "default", render: () => <DateInput label="Delivery day" name="day" /> },
    {
      name: "with a hint and limits",
      state: "default",
      render: () => (
        <DateInput
          label="Delivery day"
          name="day"
          hint="In the first half of December."
          min="2026-12-01"
          max="2026-12-15"
          defaultValue="2026-12-04"
        />
      ),
    },
    {
      name: "valid",
      state: "valid",
      render: (texts) => (
        <DateInput label="Delivery day" name="day" defaultValue="2026-12-04" state="valid" validLabel={texts.valid} />
      ),
    },
    {
      name: "error",
      state: "error",
      render: () => <DateInput label="Delivery day" name="day" error="Choose a day from tomorrow on." />,
    },
    {
      name: "disabled",
      state: "disabled",
      render: () => <DateInput label="Delivery day" name="day" defaultValue="2026-12-04" disabled />,
    },
  ],
};
