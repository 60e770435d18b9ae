import type { OverviewField } from "../../client/overview/overview-props.ts";
import type { Site } from "../sites/countries.ts";
import { countryName } from "../sites/country-name.ts";
import type { Say } from "./overview-matrix.ts";
import { answers, type OfferedFragment, type OverviewSelection } from "./overview-selection.ts";

/** Builds the controls that select an answer: those of every fragment, then the parameters of the selected one. */
export function buildFields(
  { offered, site, answer, parameters }: OverviewSelection,
  fragments: readonly OfferedFragment[],
  sites: readonly Site[],
  say: Say,
): OverviewField[] {
  return [
    {
      name: "fragment",
      label: say("form.fragment"),
      hint: say("form.fragment.hint"),
      value: offered.fragment.name,
      options: fragments.map(({ fragment: { name } }) => ({ value: name, label: name })),
    },
    {
      name: "site",
      label: say("form.site"),
      hint: say("form.site.hint"),
      value: site.site,
      options: sites.map((known) => ({ value: known.site, label: `${countryName(known)} (${known.site})` })),
    },
    {
      name: "answer",
      label: say("form.answer"),
      hint: say("form.answer.hint"),
      value: answer,
      options: answers.map((value) => ({ value, label: say(`answer.${value}`) })),
    },
    ...offered.fields.map(({ name, description, choices, initial }) => ({
      name,
      label: name,
      hint: description,
      value: parameters[name] ?? initial,
      ...(choices && {
        options: choices.map((value) => ({
          value,
          label: value === initial ? say("form.default", { value }) : value,
        })),
      }),
    })),
  ];
}
