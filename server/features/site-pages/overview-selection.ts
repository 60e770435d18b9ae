import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../platform/paths.ts";
import type { Fragment } from "../../rendering/fragment.ts";
import type { CountryRegistry, Site } from "../../sites/countries.ts";

export const answers = ["content", "fallback", "error"] as const;

/** A parameter of a fragment, as a form field. */
interface ParameterField {
  name: string;
  description: string;
  /** Every possible value; undefined if any text is allowed. */
  choices: string[] | undefined;
  /** The default value. */
  initial: string;
}

/** A fragment with the parameters that the reader can set. */
interface OfferedFragment {
  fragment: Fragment;
  fields: ParameterField[];
}

/** Which answer of the service the reader looks at. */
export interface AnswerChoice {
  offered: OfferedFragment;
  site: Site;
  /** The parameters that differ from their defaults, in the order of the schema. */
  parameters: Record<string, string>;
  answer: (typeof answers)[number];
}

export interface OverviewSelection extends AnswerChoice {
  /** Names of query parameters with an unknown value; their defaults are used. */
  faults: string[];
}

interface ParametersSchema {
  properties: Record<string, { description?: string; type?: string; enum?: unknown[]; default?: unknown }>;
}

/** Reads a fragment's parameters from its JSON Schema, so that a new parameter appears on the overview by itself. */
export function offerFragment(fragment: Fragment): OfferedFragment {
  const file = join(root, "schemas", `${fragment.name}-parameters.schema.json`);
  const schema: ParametersSchema = JSON.parse(readFileSync(file, "utf8"));
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    // The documents render the same text as Markdown.
    description: (property.description ?? "").replaceAll("`", ""),
    choices: property.type === "boolean" ? ["true", "false"] : property.enum?.map(String),
    initial: String(property.default ?? ""),
  }));
  return { fragment, fields };
}

type Query = Record<string, unknown>;

/**
 * Reads the selection from the overview's query.
 * @param fragments - the first one is the default
 */
export function readSelection(
  query: Query,
  fragments: readonly OfferedFragment[],
  countries: CountryRegistry,
  defaultSite: Site,
): OverviewSelection {
  const faults: string[] = [];
  const [first] = fragments;
  if (!first) throw new Error("there is no fragment to show");
  const offered = pick("fragment", (name) => fragments.find(({ fragment }) => fragment.name === name), first);
  const site = pick("site", (code) => countries.get(code), defaultSite);
  const answer = pick("answer", (name) => answers.find((known) => known === name), "content");
  const parameters = answer === "content" ? readParameters(query, offered) : { values: {}, faults: [] };
  return { offered, site, answer, parameters: parameters.values, faults: [...faults, ...parameters.faults] };

  function pick<T>(name: string, find: (value: string) => T | undefined, standard: T): T {
    const value = query[name];
    if (value === undefined) return standard;
    const found = typeof value === "string" ? find(value) : undefined;
    if (found === undefined) faults.push(name);
    return found ?? standard;
  }
}

/** Lets the fragment validate its parameters; wrong ones are left out. */
function readParameters(query: Query, { fragment, fields }: OfferedFragment) {
  const read = fragment.parse(query);
  const faults = read.valid ? [] : [...new Set(read.faults.map((fault) => fault.split(/[/ ]/)[1] ?? fault))];
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !faults.includes(name)));
  const valid = read.valid ? read : fragment.parse(rest);
  const data = new Map(
    Object.entries(valid.valid ? valid.data.parameters : {}).map(([name, value]) => [name, String(value)]),
  );
  const changed = fields.flatMap(({ name, initial }) => {
    const value = data.get(name) ?? initial;
    return value === initial ? [] : [[name, value] as const];
  });
  return { values: Object.fromEntries(changed), faults };
}

/** Writes the overview's query that `readSelection` reads. */
export function queryOf({ offered, site, parameters, answer }: AnswerChoice): string {
  const query = { fragment: offered.fragment.name, site: site.site, ...parameters };
  return new URLSearchParams({ ...query, ...(answer !== "content" && { answer }) }).toString();
}

/** Returns the path of the selected answer. */
export function pathOf({ offered, site, parameters, answer }: AnswerChoice): string {
  const path = `/fragments/${offered.fragment.name}`;
  if (answer === "fallback") return `${path}/${site.site}/fallback`;
  const wrong = answer === "error" ? { [wrongParameter(offered)]: "wrong" } : {};
  return `${path}?${new URLSearchParams({ site: site.site, ...parameters, ...wrong })}`;
}

/** Finds a parameter that doesn't accept every text: every fragment has at least the site. */
function wrongParameter({ fields }: OfferedFragment): string {
  return fields.find((field) => field.choices)?.name ?? "site";
}

/** Lists the states of a fragment: the default, each parameter changed alone, and the answers to failures. */
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
