import { type Ref, useCallback, useId, useState } from "react";
import { type Milliseconds, second } from "../../rules/time.ts";
import { attachRef } from "../text-input/attach-ref.ts";
import { PasswordInput, type PasswordInputProps } from "../text-input/PasswordInput.tsx";
import { passwordLevel } from "./password-level.ts";
import { useSettled } from "./use-settled.ts";

export interface StrengthTexts {
  /** Stands in front of the level, with the language's own colon: "Password strength:". */
  label: string;
  /** One per level, from 0 to 3. */
  levels: readonly [weak: string, ok: string, strong: string, veryStrong: string];
}

export interface PasswordStrengthProps extends PasswordInputProps {
  strength: StrengthTexts;
}

/** When typing has paused for so long, the level is said. */
const pause: Milliseconds = second;

/** A field for a new password that tells how strong it is: at once to see, and to hear when typing pauses. */
export function PasswordStrength({ strength, ref, onChange, ...props }: PasswordStrengthProps) {
  const id = useId();
  const { level, rate, ref: rated } = useLevel(ref);
  const said = useSettled(level, pause);
  const sentence = (of: number | undefined) => of !== undefined && `${strength.label} ${strength.levels[of]}`;
  return (
    <div className="sf-password-strength" data-level={level}>
      <PasswordInput
        autoComplete="new-password"
        {...props}
        describedBy={[props.describedBy, id].filter(Boolean).join(" ")}
        ref={rated}
        onChange={(event) => {
          rate(event.currentTarget);
          onChange?.(event);
        }}
      />
      <div className="sf-strength-bar" aria-hidden="true">
        {strength.levels.map((name) => (
          <span key={name} className="sf-strength-step" />
        ))}
      </div>
      <p className="sf-strength-text" id={id}>
        {sentence(level)}
      </p>
      <p className="sf-visually-hidden" role="status">
        {sentence(said)}
      </p>
    </div>
  );
}

/** The level of what is in a field, also of what was typed before script ran; undefined while it is empty. */
function useLevel(ref: Ref<HTMLInputElement> | undefined) {
  const [level, setLevel] = useState<number>();
  const rate = useCallback(({ value }: HTMLInputElement) => setLevel(value ? passwordLevel(value) : undefined), []);
  const rated = useCallback(
    (input: HTMLInputElement) => {
      rate(input);
      return attachRef(ref, input);
    },
    [ref, rate],
  );
  return { level, rate, ref: rated };
}
