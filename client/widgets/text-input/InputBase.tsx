import type { ComponentProps, ReactNode } from "react";
import { Field, type FieldProps } from "../field/Field.tsx";
import { oneOf } from "../one-of.ts";

export const textAlignments = ["left", "right", "center"] as const;

/** What every input takes beside its label, hint and error; it means the same as on the element `input`. */
type OwnAttributes = Pick<
  ComponentProps<"input">,
  | "ref"
  | "name"
  | "value"
  | "defaultValue"
  | "autoComplete"
  | "required"
  | "disabled"
  | "maxLength"
  | "inputMode"
  | "placeholder"
  | "onChange"
  | "onBlur"
  | "onFocus"
>;

export interface InputProps extends FieldProps, OwnAttributes {
  align?: (typeof textAlignments)[number];
}

interface InputBaseProps extends InputProps {
  type: "text" | "password" | "email" | "date" | "time";
  /** What a type of input needs of the element beyond what callers choose. */
  attributes?: Omit<ComponentProps<"input">, keyof OwnAttributes | "type">;
  /** A button in the input, at its end. */
  children?: ReactNode;
}

/** An input in its field: what all types share. */
export function InputBase({ type, align = "left", attributes, children, ...props }: InputBaseProps) {
  const { label, hint, error, state, validLabel, optionalLabel, describedBy, ...own } = props;
  return (
    <Field {...props}>
      {(control) => (
        <>
          <input
            {...attributes}
            {...own}
            {...control}
            className="sf-input"
            type={type}
            data-with-button={children ? true : undefined}
            data-align={oneOf("text alignment", textAlignments, align, "left")}
          />
          {children}
        </>
      )}
    </Field>
  );
}
