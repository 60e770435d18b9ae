import type { WidgetDoc } from "../widget-doc.ts";
import { Checkbox } from "./Checkbox.tsx";
import { ControlledCheckbox } from "./ControlledCheckbox.tsx";

const common = { name: "consents", value: "NEWSLETTER", label: "Send me news and offers by e-mail" };

export const checkboxDoc: WidgetDoc = {
  widget: "checkbox",
  title: "Checkbox",
  group: "forms",
  purpose: "Asks for a yes or no to one thing, for example a consent.",
  properties: [
    { name: "label", type: "ReactNode", text: "What is agreed to; may contain links." },
    { name: "name", type: "string", text: "Name of the form field." },
    { name: "value", type: "string", standard: "on", text: "What is sent when it is checked." },
    {
      name: "checked",
      type: "boolean",
      standard: "none",
      text: "Whether it is checked, for a parent that keeps it; without, the checkbox does.",
    },
    { name: "defaultChecked", type: "boolean", standard: "false", text: "Whether it is checked at first." },
    { name: "onChange", type: "(checked: boolean) => void", standard: "none", text: "Called with each change." },
    { name: "onBlur", type: "() => void", standard: "none", text: "Called when the focus leaves." },
    { name: "error", type: "string", standard: "none", text: "What is wrong and what to do about it." },
    { name: "required", type: "boolean", standard: "false", text: "Has to be checked." },
    { name: "disabled", type: "boolean", standard: "false", text: "Can’t be changed and isn’t sent." },
    {
      name: "id",
      type: "string",
      standard: "none",
      text: "From useId, for an error summary that leads to the checkbox.",
    },
  ],
  do: ["Say what happens when it is checked.", "Ask for each consent on its own."],
  dont: ["Don’t check a consent beforehand.", "Don’t write a label that says no: a check always means yes."],
  accessibility: [
    "It is the browser’s own checkbox: Space checks it, and so does a click on its label.",
    "The error is tied to the checkbox, and said when it comes later.",
    "A link in the label can be reached by itself and doesn’t check the box.",
  ],
  playground: {
    start: { label: common.label, error: "", defaultChecked: false, required: false, disabled: false },
    render: (properties) => <Checkbox {...common} {...properties} />,
    tag: 'Checkbox name="consents" value="NEWSLETTER"',
  },
  examples: [
    { name: "default", state: "default", render: () => <Checkbox {...common} /> },
    { name: "checked", state: "checked", render: () => <Checkbox {...common} defaultChecked /> },
    {
      name: "link",
      state: "default",
      render: () => (
        <Checkbox
          {...common}
          label={
            <>
              I agree to personalised offers as the <a href="/service/privacy">privacy notice</a> describes them. I can
              withdraw my consent at any time, for example by the link at the end of every e-mail.
            </>
          }
        />
      ),
    },
    {
      name: "error",
      state: "error",
      render: () => <Checkbox {...common} required error="Please give your consent to receive the newsletter" />,
    },
    {
      name: "checked error",
      state: "error",
      render: () => <Checkbox {...common} defaultChecked error="Your consent could not be saved, please try again" />,
    },
    { name: "disabled", state: "disabled", render: () => <Checkbox {...common} disabled /> },
    {
      name: "checked and disabled",
      state: "disabled",
      render: () => <Checkbox {...common} defaultChecked disabled />,
    },
    {
      name: "kept by its parent",
      state: "default",
      render: () => <ControlledCheckbox {...common} />,
      code: `const [wanted, setWanted] = useState(false);

<Checkbox label="…" name="consents" value="NEWSLETTER" checked={wanted} onChange={setWanted} />`,
    },
  ],
};
