import { useState } from "react";
import type { WidgetDoc } from "../widget-doc.ts";
import { Select, type SelectProps } from "./Select.tsx";

/** A select whose parent keeps the choice, and shows it. */
function ControlledSelect(props: SelectProps) {
  const [value, setValue] = useState("");
  return (
    <>
      <Select {...props} value={value} onChange={setValue} />
      <p>
        Kept: <output>{value || "nothing"}</output>
      </p>
    </>
  );
}

const grinds = [
  { name: "beans", text: "Whole beans", value: "BEANS" },
  { name: "filter", text: "Ground for filter", value: "FILTER" },
  { name: "espresso", text: "Ground for espresso", value: "ESPRESSO" },
];

const longEntry = {
  name: "portafilter",
  text: "Ground very fine for portafilter machines and other makers with a pressure of nine bar and more",
  value: "PORTAFILTER",
};

const common = { label: "Grind", name: "grind", entries: grinds };

export const selectDoc: WidgetDoc = {
  widget: "select",
  title: "Select",
  group: "forms",
  purpose: "Asks for one of several entries where there is no room to show them all.",
  do: [
    "Begin with a placeholder where no entry is a sensible standard.",
    "Sort the entries as customers look for them, the common ones first.",
  ],
  dont: [
    "Don’t use a select for fewer than four entries: radio buttons show them at once.",
    "Don’t load another page when an entry is chosen: have a button for that.",
  ],
  texts: ["select.placeholder", "optional"],
  accessibility: [
    "It is the browser’s own element: arrow keys choose, and letters lead to the entry that begins with them.",
    "Label, hint and error are tied to the select; an error that comes later is said.",
    "A disabled select stays readable but takes no focus: say near it why it can’t be changed.",
  ],
  examples: [
    { name: "default", state: "default", render: () => <Select {...common} /> },
    {
      name: "placeholder",
      state: "default",
      render: (texts) => <Select {...common} placeholder={texts["select.placeholder"]} />,
    },
    {
      name: "chosen",
      state: "default",
      render: () => <Select {...common} defaultValue="FILTER" />,
    },
    {
      name: "hint",
      state: "default",
      render: (texts) => (
        <Select {...common} hint="You can change it before every delivery." optionalLabel={texts.optional} />
      ),
    },
    { name: "valid", state: "valid", render: () => <Select {...common} defaultValue="FILTER" state="valid" /> },
    {
      name: "error",
      state: "error",
      render: (texts) => (
        <Select {...common} placeholder={texts["select.placeholder"]} required error="Please choose a grind" />
      ),
    },
    { name: "disabled", state: "disabled", render: () => <Select {...common} defaultValue="FILTER" disabled /> },
    {
      name: "kept by its parent",
      state: "default",
      render: (texts) => <ControlledSelect {...common} placeholder={texts["select.placeholder"]} />,
      code: `const [grind, setGrind] = useState("");

<Select label="Grind" name="grind" entries={grinds} placeholder="…" value={grind} onChange={setGrind} />`,
    },
    {
      name: "long entries",
      state: "error",
      render: () => (
        <Select
          {...common}
          entries={[longEntry, ...grinds]}
          error="This grind is sold out until the end of the month"
        />
      ),
    },
  ],
};
