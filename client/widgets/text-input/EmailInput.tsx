import { InputBase, type InputProps } from "./InputBase.tsx";

/** An input for an email address. Browsers offer a keyboard, a check and suggestions for it. */
export function EmailInput(props: InputProps) {
  return <InputBase autoComplete="email" spellCheck={false} {...props} type="email" />;
}
