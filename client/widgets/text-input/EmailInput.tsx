import { InputBase, type InputProps } from "./InputBase.tsx";

/** An e-mail address: the browser's keyboard, check and filling-in for one. */
export function EmailInput(props: InputProps) {
  return (
    <InputBase
      autoComplete="email"
      inputMode="email"
      {...props}
      type="email"
      attributes={{ autoCapitalize: "none", spellCheck: false }}
    />
  );
}
