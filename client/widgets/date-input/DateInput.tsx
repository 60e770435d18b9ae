import { InputBase, type InputProps } from "../text-input/InputBase.tsx";

/** Limits years to four digits, and so dates to the ten characters of `YYYY-MM-DD`. */
const lastDay = "9999-12-31";

/**
 * A day, in the format of the browser's language; its value, `min` and `max` are `YYYY-MM-DD`. The calendar is the
 * browser's own.
 */
export function DateInput({ max = lastDay, ...props }: InputProps) {
  return <InputBase {...props} max={max} type="date" />;
}
