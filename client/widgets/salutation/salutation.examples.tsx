import { type ComponentProps, useId, useState } from "react";
import type { SalutationValue } from "../../rules/salutations.ts";
import type { WidgetDoc, WidgetExample } from "../widget-doc.ts";
import { Salutation, salutationVariants } from "./Salutation.tsx";

/**
 * A salutation whose parent holds its state. Radio buttons of the same name are a group, so each example has a name of
 * its own.
 */
function SalutationSpecimen({ defaultValue, ...props }: ComponentProps<typeof Salutation>) {
  const [value, setValue] = useState<SalutationValue | "">(defaultValue ?? "");
  return (
    <div data-kept={value}>
      <Salutation {...props} name={useId()} value={value} onChange={setValue} />
    </div>
  );
}

export const salutationDoc: WidgetDoc = {
  widget: "salutation",
  title: "Salutation",
  group: "forms",
  purpose: "Asks how to address a customer.",
  do: ["Leave it optional unless the law or the greeting needs it.", "Use the select in narrow columns."],
  dont: ["Don’t preselect a salutation.", "Don’t guess it from the first name."],
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
    "The radio buttons are a group, named by the label: arrow keys select, Tab leaves the group.",
    "Hint and error are linked to the group or the select. An error that appears later is announced.",
    "Browsers can autofill the select.",
  ],
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
