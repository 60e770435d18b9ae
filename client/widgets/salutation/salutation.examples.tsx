import { salutations } from "../../rules/salutations.ts";
import type { WidgetDoc, WidgetExample } from "../widget-doc.ts";
import { salutationVariants } from "./Salutation.tsx";
import { SalutationSpecimen } from "./SalutationSpecimen.tsx";

export const salutationDoc: WidgetDoc = {
  widget: "salutation",
  title: "Salutation",
  group: "forms",
  purpose: "Asks how to address a customer.",
  properties: [
    { name: "texts", type: "SalutationTexts", text: "The words of the field in one language." },
    {
      name: "as",
      type: salutationVariants,
      standard: "radio",
      text: "Radio buttons show every choice; a select takes less room.",
    },
    { name: "name", type: "string", standard: "salutation", text: "Name of the form field." },
    {
      name: "value",
      type: [...salutations, ""],
      standard: "none",
      text: "What is chosen, empty for nothing, for a parent that keeps it; without, the field does.",
    },
    { name: "defaultValue", type: salutations, standard: "none", text: "What is chosen at first." },
    { name: "onChange", type: "(value) => void", standard: "none", text: "Called with each choice." },
    { name: "onBlur", type: "() => void", standard: "none", text: "Called when the focus leaves one of its controls." },
    { name: "error", type: "string", standard: "none", text: "What is wrong and what to do about it." },
    { name: "hint", type: "string", standard: "none", text: "Help that stays visible." },
    { name: "optionalLabel", type: "string", standard: "none", text: "Said after the label when it may stay open." },
    { name: "required", type: "boolean", standard: "false", text: "Wants a choice." },
    {
      name: "disabled",
      type: "boolean",
      standard: "false",
      text: "Shows what is known of a customer; it can’t be changed here and isn’t sent.",
    },
    { name: "id", type: "string", standard: "none", text: "From useId, for an error summary that leads to the field." },
  ],
  do: ["Leave it optional where the law or the greeting doesn’t need it.", "Use the select in narrow columns."],
  dont: ["Don’t choose a salutation for a customer.", "Don’t guess it from a first name."],
  texts: [
    "salutation.label",
    "salutation.mrs",
    "salutation.mr",
    "salutation.divers",
    "salutation.company",
    "select.placeholder",
    "optional",
  ],
  inEveryLanguage: true,
  accessibility: [
    "The radio buttons are a group with the label as its name: arrow keys choose, Tab leaves it.",
    "Hint and error are tied to the group or the select; an error that comes later is said.",
    "As a select, browsers can fill it in.",
  ],
  playground: {
    start: {
      as: "",
      defaultValue: "",
      hint: "",
      error: "",
      optionalLabel: "",
      required: false,
      disabled: false,
    },
    render: (properties, texts) => <SalutationSpecimen texts={texts} {...properties} />,
    tag: "Salutation texts={texts}",
  },
  examples: salutationVariants.flatMap((as): WidgetExample[] => [
    {
      name: `${as} optional`,
      variant: as,
      state: "default",
      render: (texts) => <SalutationSpecimen as={as} texts={texts} optionalLabel={texts.optional} />,
      code: `<Salutation as="${as}" texts={texts} optionalLabel={texts.optional} />`,
    },
    {
      name: `${as} chosen`,
      variant: as,
      state: "default",
      render: (texts) => <SalutationSpecimen as={as} texts={texts} defaultValue="DIVERS" />,
      code: `<Salutation as="${as}" texts={texts} defaultValue="DIVERS" />`,
    },
    {
      name: `${as} error`,
      variant: as,
      state: "error",
      render: (texts) => <SalutationSpecimen as={as} texts={texts} required error={texts["select.placeholder"]} />,
      code: `<Salutation as="${as}" texts={texts} required error={error} />`,
    },
    {
      name: `${as} disabled`,
      variant: as,
      state: "disabled",
      render: (texts) => <SalutationSpecimen as={as} texts={texts} defaultValue="MRS" disabled />,
      code: `<Salutation as="${as}" texts={texts} defaultValue="MRS" disabled />`,
    },
  ]),
};
