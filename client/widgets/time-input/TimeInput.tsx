import { InputBase, type InputProps } from "../text-input/InputBase.tsx";

interface TimeInputProps extends InputProps {
  /** The step between the times that can be chosen, in minutes. */
  stepMinutes?: number;
}

/** A time of day, in the format of the browser's language; its value, `min` and `max` are `HH:MM`. */
export function TimeInput({ stepMinutes = 1, ...props }: TimeInputProps) {
  return <InputBase {...props} step={stepMinutes * 60} type="time" />;
}
