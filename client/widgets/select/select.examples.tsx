import { useId, useState } from "react";
import type { WidgetDoc } from "../widget-doc.ts";
import { Select, type SelectProps } from "./Select.tsx";

/** A select whose parent holds its state and shows it. */
function ControlledSelect(props: SelectProps) {
  const [value, setValue] = useState("");
  const keptId = useId();
  return (
    <>
      <Select {...props} value={value} onChange={setValue} />
      <p>
        <label htmlFor={keptId}>Kept:</label> <output id={keptId}>{value || "nothing"}</output>
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
  purpose: "Offers one of several options where there is no room to show them all.",
  do: [
    "Start with a placeholder if no option is a sensible default.",
    "Sort the options as customers look for them, the common ones first.",
  ],
  dont: [
    "Don’t use a select for fewer than four options: radio buttons show them all.",
    "Don’t load another page when an option is selected. Add a button for that.",
  ],
  texts: ["select.placeholder", "optional", "valid"],
  accessibility: [
    "It’s the native element: arrow keys select, and typing letters jumps to the option that starts with them.",
    "Label, hint and error are linked to the select. An error that appears later is announced.",
    "A disabled select is readable but can’t be focused. Say nearby why it can’t be changed.",
  ],
  examples: [
    { name: "default", state: "default", render: () => <Select {...common} /> },
    {
      name: "placeholder",
      state: "default",
      render: (texts) => <Select {...common} placeholder={texts["select.placeholder"]} />,
    },
    { name: "chosen", state: "default", render: () => <Select {...common} defaultValue="FILTER" /> },
    {
      name: "hint",
      state: "default",
      render: (texts) => (
        <Select {...common} hint="You can change it before every delivery." optionalLabel={texts.optional} />
      ),
    },
    {
      name: "valid",
      state: "valid",
      render: (texts) => <Select {...common} defaultValue="FILTER" state="valid" validLabel={texts.valid} />,
    },
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
