import type { Fragment } from "../fragments/fragment.ts";
import type { CountryRegistry, Site } from "../sites/countries.ts";
import type { ParameterField } from "./overview-fields.ts";

export const answers = ["content", "fallback", "error"] as const;
export const widths = ["full", "375", "768", "1280"] as const;

/** A fragment with the parameters that the overview lets readers choose. */
export interface OfferedFragment {
  fragment: Fragment;
  fields: ParameterField[];
}

/** One answer of the service that a reader can look at. */
export interface AnswerChoice {
  offered: OfferedFragment;
  site: Site;
  /** The parameters that differ from their defaults, in the order of the schema. */
  parameters: Record<string, string>;
  answer: (typeof answers)[number];
}

export interface OverviewSelection extends AnswerChoice {
  /** Width of the preview, in pixels. */
  width: (typeof widths)[number];
  /** Names of the query's parameters with a value that isn't on offer; their defaults stand in. */
  faults: string[];
}

interface Offer {
  /** Every fragment; the first one is the default. */
  fragments: readonly OfferedFragment[];
  countries: CountryRegistry;
  defaultSite: Site;
}

type Query = Record<string, unknown>;

/** Reads what the query of the overview selects. A value that isn't on offer is a fault, and its default counts. */
export function readOverviewSelection(query: Query, { fragments, countries, defaultSite }: Offer): OverviewSelection {
  const faults: string[] = [];
  const [first] = fragments;
  if (!first) throw new Error("there is no fragment to show");
  const offered = pick("fragment", (name) => fragments.find(({ fragment }) => fragment.name === name), first);
  const site = pick("site", (code) => countries.get(code), defaultSite);
  const answer = pick("answer", (name) => answers.find((known) => known === name), "content");
  const width = pick("width", (name) => widths.find((known) => known === name), "full");
  const parameters = answer === "content" ? readParameters(query, offered) : { values: {}, faults: [] };
  return { offered, site, answer, width, parameters: parameters.values, faults: [...faults, ...parameters.faults] };

  function pick<T>(name: string, find: (value: string) => T | undefined, standard: T): T {
    const value = query[name];
    if (value === undefined) return standard;
    const found = typeof value === "string" ? find(value) : undefined;
    if (found === undefined) faults.push(name);
    return found ?? standard;
  }
}

/** Lets the fragment check its parameters; when some are wrong, it is asked again without them. */
function readParameters(query: Query, { fragment, fields }: OfferedFragment) {
  const read = fragment.read(query);
  const faults = read.valid ? [] : [...new Set(read.faults.map((fault) => fault.split(/[/ ]/)[1] ?? fault))];
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !faults.includes(name)));
  const kept = read.valid ? read : fragment.read(rest);
  const data = new Map(
    Object.entries(kept.valid ? kept.data.parameters : {}).map(([name, value]) => [name, String(value)]),
  );
  const changed = fields.flatMap(({ name, initial }) => {
    const value = data.get(name) ?? initial;
    return value === initial ? [] : [[name, value] as const];
  });
  return { values: Object.fromEntries(changed), faults };
}

/** Writes the query of the overview that selects an answer. */
export function queryOf(
  { offered, site, parameters, answer }: AnswerChoice,
  width: OverviewSelection["width"] = "full",
): string {
  const query = { fragment: offered.fragment.name, site: site.site, ...parameters };
  const changed = { ...(answer !== "content" && { answer }), ...(width !== "full" && { width }) };
  return new URLSearchParams({ ...query, ...changed }).toString();
}

/** Gives the path at which the service gives an answer. */
export function pathOf({ offered, site, parameters, answer }: AnswerChoice): string {
  const path = `/fragments/${offered.fragment.name}`;
  if (answer === "fallback") return `${path}/${site.site}/fallback`;
  const wrong = answer === "error" ? { [wrongParameter(offered)]: "wrong" } : {};
  return `${path}?${new URLSearchParams({ site: site.site, ...parameters, ...wrong })}`;
}

/** Names a parameter for which not every text is a value; every fragment has the site as one. */
function wrongParameter({ fields }: OfferedFragment): string {
  return fields.find((field) => field.choices)?.name ?? "site";
}

/** Lists the answers worth looking at: the default, each parameter changed alone, and those of failures. */
export function listStates({ fields }: OfferedFragment): Pick<AnswerChoice, "parameters" | "answer">[] {
  const changed = fields.flatMap(({ name, choices = [], initial }) =>
    choices.filter((choice) => choice !== initial).map((choice) => ({ [name]: choice })),
  );
  return [
    ...[{}, ...changed].map((parameters) => ({ parameters, answer: "content" as const })),
    { parameters: {}, answer: "fallback" },
    { parameters: {}, answer: "error" },
  ];
}
