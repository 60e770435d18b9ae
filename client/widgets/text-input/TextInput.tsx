import { oneOf } from "../one-of.ts";
import { EmailInput } from "./EmailInput.tsx";
import { IbanInput } from "./IbanInput.tsx";
import { InputBase, type InputProps } from "./InputBase.tsx";
import { NumberInput } from "./NumberInput.tsx";
import { PasswordInput, type PasswordInputProps } from "./PasswordInput.tsx";

export const textInputTypes = ["text", "password", "email", "number", "iban"] as const;
export type TextInputType = (typeof textInputTypes)[number];

type TextInputProps =
  | (InputProps & { type?: Exclude<TextInputType, "password"> })
  | (PasswordInputProps & { type: "password" });

const inputs = {
  text: PlainInput,
  password: PasswordInput,
  email: EmailInput,
  number: NumberInput,
  iban: IbanInput,
} satisfies Record<TextInputType, unknown>;

/** A single line of text, of any type. Where the type is known, the component of that type brings less script. */
export function TextInput({ type = "text", ...props }: TextInputProps) {
  const Input = inputs[oneOf("text input type", textInputTypes, type, "text")];
  return <Input {...props} />;
}

function PlainInput(props: InputProps) {
  return <InputBase {...props} type="text" />;
}
