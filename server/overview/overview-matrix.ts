import type { OverviewMatrix, OverviewTextKey } from "../../client/overview/overview-props.ts";
import type { Site } from "../sites/countries.ts";
import { countryName } from "../sites/country-name.ts";
import { type AnswerChoice, listStates, type OverviewSelection, queryOf } from "./overview-selection.ts";

/** Gives a text with its placeholders filled. */
export type Say = (key: OverviewTextKey, values?: Record<string, string>) => string;

/** Builds the table of every site in every state of the selected fragment. */
export function buildMatrix(selection: OverviewSelection, sites: readonly Site[], say: Say): OverviewMatrix {
  const { offered, width } = selection;
  const states = listStates(offered);
  const selected = queryOf(selection);
  return {
    caption: say("matrix.caption", { fragment: offered.fragment.name }),
    states: states.map((state) => nameState(state, say)),
    rows: sites.map((site) => ({
      name: countryName(site),
      locale: site.locale,
      site: site.site,
      cells: states.map((state) => {
        const choice = { offered, site, ...state };
        return {
          href: `/?${queryOf(choice, width)}#preview`,
          label: `${site.site}, ${nameState(state, say)}`,
          current: queryOf(choice) === selected,
        };
      }),
    })),
  };
}

/** Names a state by what differs from the default. */
export function nameState({ parameters, answer }: Pick<AnswerChoice, "parameters" | "answer">, say: Say): string {
  if (answer !== "content") return say(`state.${answer}`);
  const names = Object.entries(parameters).map(([name, value]) => {
    if (value === "true") return name;
    return value === "false" ? say("state.without", { name }) : `${name} ${value}`;
  });
  return names.join(", ") || say("state.default");
}
