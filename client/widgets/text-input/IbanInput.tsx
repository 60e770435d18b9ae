import { InputBase, type InputProps } from "./InputBase.tsx";
import { editIban, longestIban } from "./iban.ts";
import { useEditRule } from "./use-edit-rule.ts";

/** An IBAN in groups of four. There is no autofill token for one; the keyboard has letters, as many IBANs do. */
export function IbanInput({ ref, ...props }: InputProps) {
  return (
    <InputBase
      autoComplete="off"
      maxLength={longestIban}
      {...props}
      type="text"
      ref={useEditRule(editIban, ref)}
      attributes={{ autoCapitalize: "characters", autoCorrect: "off", spellCheck: false }}
    />
  );
}
