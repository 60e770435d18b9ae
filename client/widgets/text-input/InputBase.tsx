import type { ComponentProps, ReactNode, Ref } from "react";
import { Field, type FieldProps } from "../field/Field.tsx";
import { oneOf } from "../one-of.ts";

export const textAlignments = ["left", "right", "center"] as const;

type ElementProps = Omit<ComponentProps<"input">, keyof FieldProps | "children" | "ref" | "type">;

/** The props of every input: those of its field, and the attributes of the element `input`. */
export interface InputProps extends FieldProps, ElementProps {
  align?: (typeof textAlignments)[number];
}

interface InputBaseProps extends InputProps {
  type: "text" | "password" | "email" | "date" | "time";
  ref?: Ref<HTMLInputElement>;
  /** A button in the input, at its end. */
  children?: ReactNode;
}

/** An input in its field, shared by all types. */
export function InputBase({ align, children, ...props }: InputBaseProps) {
  const { label, hint, error, state, validLabel, optionalLabel, describedBy, ...own } = props;
  return (
    <Field {...props}>
      {(control) => (
        <>
          <input
            {...own}
            {...control}
            className="sf-input"
            data-with-button={children ? true : undefined}
            data-align={align && oneOf("text alignment", textAlignments, align, "left")}
          />
          {children}
        </>
      )}
    </Field>
  );
}
