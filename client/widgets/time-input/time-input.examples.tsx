import type { WidgetDoc } from "../widget-doc.ts";
import { TimeInput } from "./TimeInput.tsx";

const common = { label: "Pick-up time", name: "time" };
const chosen = { ...common, defaultValue: "18:30" };
const quarters = { min: "09:00", max: "19:00", stepMinutes: 15, defaultValue: "09:15" };

export const timeInputDoc: WidgetDoc = {
  widget: "time-input",
  title: "Time input",
  group: "forms",
  purpose: "Takes a time of day, to the minute.",
  do: ["If the time zone isn’t the visitor’s, name it in the hint."],
  dont: ["Don’t rely on min, max and step alone. Check them on the server as well."],
  texts: ["valid"],
  accessibility: [
    "It’s a native field: hours and minutes can be typed, or changed with the arrow keys.",
    "Label, hint and error are linked to the input. An error that appears later is announced.",
    "Screen readers don’t announce min, max and step, so state the limits in the hint.",
  ],
  examples: [
    { name: "default", state: "default", render: () => <TimeInput {...common} /> },
    {
      name: "with a hint and quarters of an hour",
      state: "default",
      render: () => <TimeInput {...common} hint="From 9:00 to 19:00, in steps of 15 minutes." {...quarters} />,
    },
    {
      name: "valid",
      state: "valid",
      render: (texts) => <TimeInput {...chosen} state="valid" validLabel={texts.valid} />,
    },
    {
      name: "error",
      state: "error",
      render: () => <TimeInput {...common} error="Choose a time from 9:00 to 19:00." />,
    },
    { name: "disabled", state: "disabled", render: () => <TimeInput {...chosen} disabled /> },
  ],
};
