import { useCallback, useEffect, useId, useState } from "react";
import { type Milliseconds, second } from "../../rules/time.ts";
import { PasswordInput, type PasswordInputProps } from "../text-input/PasswordInput.tsx";

interface StrengthTexts {
  /** The text in front of the level, with the language's own colon: "Password strength:". */
  label: string;
  /** The names of the levels, from 0 to 3. */
  levels: readonly [weak: string, ok: string, strong: string, veryStrong: string];
}

interface PasswordStrengthProps extends Omit<PasswordInputProps, "onChange"> {
  strength: StrengthTexts;
}

/** The pause in typing after which the level is announced. */
const pause: Milliseconds = second;

/** A field for a new password. Shows its strength at once, and announces it when typing pauses. */
export function PasswordStrength({ strength, ...props }: PasswordStrengthProps) {
  const id = useId();
  const [password, setPassword] = useState("");
  const level = password ? passwordLevel(password) : undefined;
  const said = useSettled(level, pause);
  const sentence = (of: number | undefined) => of !== undefined && `${strength.label} ${strength.levels[of]}`;
  // Text typed before hydration counts, too.
  const readFirst = useCallback((field: HTMLElement | null) => {
    setPassword(field?.querySelector("input")?.value ?? "");
  }, []);
  return (
    <div className="sf-password-strength" data-level={level} ref={readFirst}>
      <PasswordInput
        autoComplete="new-password"
        {...props}
        describedBy={[props.describedBy, id].filter(Boolean).join(" ")}
        onChange={(event) => setPassword(event.target.value)}
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

/** Shorter passwords are weak, whatever they contain. */
const countedFrom = 8;

/**
 * Rates a password by the number of its character classes: lowercase letters, digits and uppercase letters of any
 * script (Unicode categories Ll, Nd and Lu). Letters without case, marks and symbols add to the length only. The length
 * counts Unicode characters: an emoji is one, not two as in `length`.
 * @returns 0 (weak) to 3 (very strong)
 */
function passwordLevel(password: string): number {
  if ([...password].length < countedFrom) return 0;
  return [/\p{Ll}/u, /\p{Nd}/u, /\p{Lu}/u].filter((oneClass) => oneClass.test(password)).length;
}

/** Returns a value once it hasn't changed for a while, for messages that would otherwise be announced too often. */
function useSettled<T>(value: T, pause: Milliseconds): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
