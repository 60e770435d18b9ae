import type { WidgetDoc, WidgetExample, WidgetTexts } from "../widget-doc.ts";
import { textAlignments } from "./InputBase.tsx";
import type { PasswordInputProps } from "./PasswordInput.tsx";
import { TextInput, type TextInputType, textInputTypes } from "./TextInput.tsx";

const samples = {
  text: {
    label: "First name",
    name: "first-name",
    autoComplete: "given-name",
    value: "Kim",
    error: "Enter your first name.",
  },
  password: {
    label: "Password",
    name: "password",
    autoComplete: "current-password",
    value: "Espresso4two",
    error: "Enter your password.",
  },
  email: {
    label: "E-mail address",
    name: "email",
    autoComplete: "email",
    value: "kim@example.com",
    error: "Enter an address like name@example.com.",
  },
  number: {
    label: "Amount",
    name: "amount",
    autoComplete: "off",
    value: "-12,50",
    error: "Enter a number like 12,50.",
  },
  iban: {
    label: "IBAN",
    name: "iban",
    autoComplete: "off",
    value: "DE89 3704 0044 0532 0130 00",
    error: "Enter an IBAN as on your bank card.",
  },
} satisfies Record<TextInputType, object>;

function example(
  type: TextInputType,
  name: string,
  state: string,
  props: Partial<PasswordInputProps> = {},
): WidgetExample {
  const { label, name: field, autoComplete } = samples[type];
  const common = { label, name: field, autoComplete, ...props };
  return {
    name: `${type} ${name}`.trim(),
    variant: type,
    state,
    render(texts) {
      const own = state === "valid" ? { ...common, validLabel: texts.valid } : common;
      if (type !== "password") return <TextInput type={type} {...own} />;
      return <TextInput type="password" {...own} reveal={revealTexts(texts)} />;
    },
  };
}

function revealTexts(texts: WidgetTexts) {
  return {
    show: texts.showPassword,
    hide: texts.hidePassword,
    shown: texts.passwordShown,
    hidden: texts.passwordHidden,
  };
}

export const textInputDoc: WidgetDoc = {
  widget: "text-input",
  title: "Text input",
  group: "forms",
  purpose: "Takes a single line: text, a password, an email address, a number or an IBAN.",
  do: [
    "Write hints and errors as sentences that say what to enter.",
    "Set autoComplete on fields about the visitor.",
    "Use the number input for amounts and quantities: digits with an optional sign and a decimal comma or point. Pasted numbers lose their grouping and currency.",
    "Check an IBAN when the visitor leaves the field, and again on the server. It arrives with spaces.",
  ],
  dont: [
    "Don’t put the label or an example in the input: it disappears when people start typing.",
    "Don’t use the number input for a postcode or customer number. Use text with the inputMode numeric.",
    "Don’t show an error before the visitor leaves the field.",
    "Don’t expect people to type every IBAN. After two letters the field takes only digits, but French, British, Dutch and other IBANs may have more letters: these can be pasted or autofilled.",
  ],
  texts: ["showPassword", "hidePassword", "passwordShown", "passwordHidden", "valid"],
  accessibility: [
    "Label, hint and error are linked to the input. An error that appears later is announced.",
    "The valid state is announced only if you set validLabel. Sighted people see a check mark.",
    "The button that shows the password announces what it has done. Two password fields on a page need different labels for it.",
    "With the right autoComplete value, browsers can fill in the field for people who find typing difficult.",
  ],
  examples: [
    ...textInputTypes.flatMap((type) => {
      const { value, error } = samples[type];
      return [
        example(type, "", "default"),
        example(type, "valid", "valid", { defaultValue: value, state: "valid" }),
        example(type, "error", "error", { error }),
        example(type, "disabled", "disabled", { defaultValue: value, disabled: true }),
        ...textAlignments.map((align) => example(type, align, "default", { defaultValue: value, align })),
      ];
    }),
    example("text", "with a hint", "default", { hint: "As on your passport." }),
    example("text", "optional", "default", { optionalLabel: "optional" }),
    example("text", "with a hint and an error", "error", { hint: "As on your passport.", error: samples.text.error }),
    example("number", "of four digits", "default", {
      hint: "At most four digits.",
      maxLength: 4,
      inputMode: "numeric",
    }),
  ],
};
