import { type ComponentProps, useId, useState } from "react";
import type { WidgetDoc } from "../widget-doc.ts";
import { Checkbox } from "./Checkbox.tsx";

/** A checkbox with a name of its own. Checkboxes of the same name would be a group. */
function Consent(props: Partial<ComponentProps<typeof Checkbox>>) {
  return <Checkbox name={useId()} value="NEWSLETTER" label="Send me news and offers by e-mail" {...props} />;
}

/** A checkbox whose parent holds its state and shows it. */
function ControlledConsent() {
  const [checked, setChecked] = useState(false);
  const keptId = useId();
  return (
    <>
      <Consent checked={checked} onChange={setChecked} />
      <p>
        <label htmlFor={keptId}>Kept:</label> <output id={keptId}>{checked ? "yes" : "no"}</output>
      </p>
    </>
  );
}

export const checkboxDoc: WidgetDoc = {
  widget: "checkbox",
  title: "Checkbox",
  group: "forms",
  purpose: "Asks for a yes or no, for example to a consent.",
  do: ["Say what checking it does.", "Ask for each consent separately."],
  dont: ["Don’t check a consent in advance.", "Don’t word the label negatively: a check always means yes."],
  accessibility: [
    "It’s a native checkbox: Space toggles it, and so does a click on the label.",
    "The error is linked to the checkbox, and announced if it appears later.",
    "A link in the label has its own tab stop and doesn’t toggle the checkbox.",
  ],
  examples: [
    { name: "default", state: "default", render: () => <Consent /> },
    { name: "checked", state: "checked", render: () => <Consent defaultChecked /> },
    {
      name: "link",
      state: "default",
      render: () => (
        <Consent
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
      render: () => <Consent required error="Please give your consent to receive the newsletter" />,
    },
    {
      name: "checked error",
      state: "error",
      render: () => <Consent defaultChecked error="Your consent could not be saved, please try again" />,
    },
    { name: "disabled", state: "disabled", render: () => <Consent disabled /> },
    { name: "checked and disabled", state: "disabled", render: () => <Consent defaultChecked disabled /> },
    {
      name: "kept by its parent",
      state: "default",
      render: () => <ControlledConsent />,
      code: `const [wanted, setWanted] = useState(false);

<Checkbox label="…" name="consents" value="NEWSLETTER" checked={wanted} onChange={setWanted} />`,
    },
  ],
};
