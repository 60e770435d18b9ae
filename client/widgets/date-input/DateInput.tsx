import { InputBase, type InputProps } from "../text-input/InputBase.tsx";

interface DateInputProps extends Omit<InputProps, "maxLength" | "inputMode" | "align"> {
  /** First and last day one can choose, as `YYYY-MM-DD`. */
  min?: string;
  max?: string;
}

/** Keeps years at four digits, and so dates at the ten characters of `YYYY-MM-DD`. */
const lastDay = "9999-12-31";

/** A day, in the format of the browser's language; its value is `YYYY-MM-DD`. The calendar is the browser's own. */
export function DateInput({ min, max = lastDay, ...props }: DateInputProps) {
  return <InputBase {...props} type="date" attributes={{ min, max }} />;
}
