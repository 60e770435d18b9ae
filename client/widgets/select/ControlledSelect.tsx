import { useState } from "react";
import { Select, type SelectProps } from "./Select.tsx";

/** A select whose parent keeps the choice, and shows it. */
export function ControlledSelect(props: SelectProps) {
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
