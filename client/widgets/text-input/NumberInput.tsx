import { InputBase, type InputProps } from "./InputBase.tsx";
import { editNumber } from "./number.ts";
import { useEditRule } from "./use-edit-rule.ts";

/**
 * A number with an optional sign and decimal part, as text: `type="number"` drops what it can't read, changes at a turn
 * of the wheel and says little to screen readers (https://design-system.service.gov.uk/components/text-input/#numbers).
 * Keyboards offer a decimal separator; `inputMode="numeric"` is for whole numbers.
 */
export function NumberInput({ ref, ...props }: InputProps) {
  return (
    <InputBase
      autoComplete="off"
      inputMode="decimal"
      {...props}
      type="text"
      ref={useEditRule(editNumber, ref)}
      attributes={{ spellCheck: false }}
    />
  );
}
