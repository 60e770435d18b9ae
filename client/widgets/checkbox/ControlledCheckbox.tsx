import { useState } from "react";
import { Checkbox, type CheckboxProps } from "./Checkbox.tsx";

/** A checkbox whose parent keeps the choice, and shows it. */
export function ControlledCheckbox(props: CheckboxProps) {
  const [checked, setChecked] = useState(false);
  return (
    <>
      <Checkbox {...props} checked={checked} onChange={setChecked} />
      <p>
        Kept: <output>{checked ? "yes" : "no"}</output>
      </p>
    </>
  );
}
