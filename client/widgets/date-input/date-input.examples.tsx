import type { WidgetDoc } from "../widget-doc.ts";
import { DateInput } from "./DateInput.tsx";

export const dateInputDoc: WidgetDoc = {
  widget: "date-input",
  title: "Date input",
  group: "forms",
  purpose: "Takes a date, typed or picked from the browser’s calendar.",
  do: ["Use it for dates near today, such as a delivery date.", "Set min and max if not every date is allowed."],
  dont: [
    "Don’t name a format in the label or hint: the browser shows dates in its own language. The value is always YYYY-MM-DD.",
    "Don’t rely on min and max alone. Check them on the server as well.",
  ],
  texts: ["valid"],
  accessibility: [
    "It’s a native field: each part can be typed, and the calendar works with the keyboard.",
    "Label, hint and error are linked to the input. An error that appears later is announced.",
    "Screen readers don’t announce min and max, so state the limits in the hint.",
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
