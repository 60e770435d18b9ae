import { InputBase, type InputProps } from "../text-input/InputBase.tsx";

interface TimeInputProps extends Omit<InputProps, "maxLength" | "inputMode" | "align"> {
  /** First and last time one can choose, as `HH:MM`. */
  min?: string;
  max?: string;
  /** Minutes from one time to the next that can be chosen. */
  stepMinutes?: number;
}

/** A time of day, in the format of the browser's language; its value is `HH:MM`. */
export function TimeInput({ min, max, stepMinutes = 1, ...props }: TimeInputProps) {
  return <InputBase {...props} type="time" attributes={{ min, max, step: stepMinutes * 60 }} />;
}
