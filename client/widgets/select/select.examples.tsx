import { fieldStates } from "../field/Field.tsx";
import type { WidgetDoc } from "../widget-doc.ts";
import { ControlledSelect } from "./ControlledSelect.tsx";
import { Select } from "./Select.tsx";

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
  properties: [
    { name: "label", type: "string", text: "Says what is chosen." },
    { name: "name", type: "string", text: "Name of the form field." },
    {
      name: "entries",
      type: "{ name, text, value }[]",
      text: "The list: `name` tells the entries apart, `text` is read, `value` is sent.",
    },
    {
      name: "placeholder",
      type: "string",
      standard: "none",
      text: "Text of a first entry that stands for no choice: its value is empty.",
    },
    {
      name: "value",
      type: "string",
      standard: "none",
      text: "What is chosen, for a parent that keeps it; without, the select does.",
    },
    { name: "defaultValue", type: "string", standard: "the first entry", text: "What is chosen at first." },
    { name: "onChange", type: "(value: string) => void", standard: "none", text: "Called with each choice." },
    { name: "onBlur", type: "() => void", standard: "none", text: "Called when the focus leaves." },
    { name: "state", type: fieldStates, standard: "default", text: "What a check has found." },
    {
      name: "error",
      type: "string",
      standard: "none",
      text: "What is wrong and what to do about it; makes the state error.",
    },
    { name: "hint", type: "string", standard: "none", text: "Help that stays visible." },
    {
      name: "optionalLabel",
      type: "string",
      standard: "none",
      text: "Said after the label of a field that may stay empty.",
    },
    { name: "required", type: "boolean", standard: "false", text: "Wants a choice: the placeholder doesn’t count." },
    { name: "disabled", type: "boolean", standard: "false", text: "Takes no choice and isn’t sent." },
    { name: "autoComplete", type: "string", standard: "none", text: "What browsers may fill in." },
    { name: "id", type: "string", standard: "none", text: "From useId, for an error summary that leads to the field." },
  ],
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
  playground: {
    start: {
      label: common.label,
      placeholder: "",
      hint: "",
      error: "",
      state: "",
      optionalLabel: "",
      required: false,
      disabled: false,
    },
    render: (properties) => <Select {...common} {...properties} />,
    tag: 'Select name="grind" entries={grinds}',
  },
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
