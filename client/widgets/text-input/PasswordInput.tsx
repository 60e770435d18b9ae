import { InputBase, type InputProps } from "./InputBase.tsx";
import { type RevealTexts, RevealToggle } from "./RevealToggle.tsx";
import { useReveal } from "./use-reveal.ts";

export interface PasswordInputProps extends InputProps {
  /** Words of the button that shows and hides what is typed; without them there is none. */
  reveal?: RevealTexts;
}

/** A password, hidden until one asks to see it. Nothing in it is corrected or sent to a spell checker. */
export function PasswordInput({ reveal, ref, ...props }: PasswordInputProps) {
  const { isShown, toggle, ref: watched } = useReveal(ref);
  return (
    <InputBase
      autoComplete="current-password"
      {...props}
      type={isShown ? "text" : "password"}
      ref={watched}
      attributes={{ autoCapitalize: "none", autoCorrect: "off", spellCheck: false }}
    >
      {reveal && (
        <RevealToggle {...reveal} label={props.label} isShown={isShown} disabled={props.disabled} onClick={toggle} />
      )}
    </InputBase>
  );
}
