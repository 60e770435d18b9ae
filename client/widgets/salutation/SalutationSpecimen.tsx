import { useId, useState } from "react";
import type { SalutationValue } from "../../rules/salutations.ts";
import { Salutation, type SalutationProps } from "./Salutation.tsx";

/**
 * A salutation beside others on a page, whose parent keeps the choice. Radio buttons of one name are one choice, so
 * each has a name of its own.
 */
export function SalutationSpecimen({ defaultValue, ...props }: SalutationProps) {
  const [value, setValue] = useState<SalutationValue | "">(defaultValue ?? "");
  return (
    <div data-kept={value}>
      <Salutation {...props} name={useId()} value={value} onChange={setValue} />
    </div>
  );
}
