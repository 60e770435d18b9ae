import { type Ref, useCallback, useEffect, useId, useState } from "react";
import { type Milliseconds, second } from "../../rules/time.ts";
import { attachRef } from "../text-input/attach-ref.ts";
import { PasswordInput, type PasswordInputProps } from "../text-input/PasswordInput.tsx";

interface StrengthTexts {
  /** Stands in front of the level, with the language's own colon: "Password strength:". */
  label: string;
  /** One per level, from 0 to 3. */
  levels: readonly [weak: string, ok: string, strong: string, veryStrong: string];
}

interface PasswordStrengthProps extends PasswordInputProps {
  strength: StrengthTexts;
}

/** The pause in typing after which the level is announced. */
const pause: Milliseconds = second;

/** A field for a new password that shows its strength at once, and announces it when typing pauses. */
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

/** The level of a field's value, including what was typed before hydration; undefined while it is empty. */
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

/** Shorter passwords are weak, whatever is in them. */
const countedFrom = 8;

/**
 * The number of character classes in a password: lowercase letters, digits and uppercase letters of any script (Unicode
 * categories Ll, Nd and Lu). Letters without case, marks and symbols count for the length alone. The length is in
 * Unicode characters: an emoji is one, not two as in `length`.
 * @returns 0 (weak) to 3 (very strong)
 */
function passwordLevel(password: string): number {
  if ([...password].length < countedFrom) return 0;
  return [/\p{Ll}/u, /\p{Nd}/u, /\p{Lu}/u].filter((oneClass) => oneClass.test(password)).length;
}

/** Returns a value once it hasn't changed for a while: for messages that would be announced too often. */
function useSettled<T>(value: T, pause: Milliseconds): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
