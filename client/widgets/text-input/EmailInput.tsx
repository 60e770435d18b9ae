import { InputBase, type InputProps } from "./InputBase.tsx";

/** An input for an e-mail address, for which browsers have a keyboard, a check and a memory. */
export function EmailInput(props: InputProps) {
  return <InputBase autoComplete="email" spellCheck={false} {...props} type="email" />;
}
