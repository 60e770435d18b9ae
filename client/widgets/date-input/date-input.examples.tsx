import type { WidgetDoc } from "../widget-doc.ts";
import { DateInput } from "./DateInput.tsx";

const common = { label: "Delivery day", name: "day" };
const chosen = { ...common, defaultValue: "2026-12-04" };

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
    { name: "default", state: "default", render: () => <DateInput {...common} /> },
    {
      name: "with a hint and limits",
      state: "default",
      render: () => <DateInput {...chosen} hint="In the first half of December." min="2026-12-01" max="2026-12-15" />,
    },
    {
      name: "valid",
      state: "valid",
      render: (texts) => <DateInput {...chosen} state="valid" validLabel={texts.valid} />,
    },
    { name: "error", state: "error", render: () => <DateInput {...common} error="Choose a day from tomorrow on." /> },
    { name: "disabled", state: "disabled", render: () => <DateInput {...chosen} disabled /> },
  ],
};
