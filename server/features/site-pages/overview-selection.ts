import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../platform/paths.ts";
import type { Fragment } from "../../rendering/fragment.ts";
import type { CountryRegistry, Site } from "../../sites/countries.ts";

export const answers = ["content", "fallback", "error"] as const;

/** A fragment with the parameters that the reader can set, as form fields. */
type OfferedFragment = ReturnType<typeof offerFragment>;

/** The answer of the service that the reader has selected. */
export interface OverviewSelection {
  offered: OfferedFragment;
  site: Site;
  /** The parameters that differ from their defaults, in the order of the schema. */
  parameters: Record<string, string>;
  answer: (typeof answers)[number];
}

type ParameterSchema = { description?: string; type?: string; enum?: unknown[]; default?: unknown };

/** Reads a fragment's parameters from its JSON Schema, so that the overview shows new parameters automatically. */
export function offerFragment(fragment: Fragment) {
  const file = join(root, "schemas", `${fragment.name}-parameters.schema.json`);
  const { properties }: { properties: Record<string, ParameterSchema> } = JSON.parse(readFileSync(file, "utf8"));
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    // The documents show the same text as Markdown.
    description: (property.description ?? "").replaceAll("`", ""),
    // Any text is allowed if there are no choices.
    choices: property.type === "boolean" ? ["true", "false"] : property.enum?.map(String),
    initial: String(property.default ?? ""),
  }));
  return { fragment, fields };
}

/**
 * Reads the selection from the overview's query, and the names of query parameters with an unknown value, for which
 * defaults are used.
 * @param standard - the default fragment and site
 */
export function readSelection(
  query: Record<string, unknown>,
  fragments: readonly OfferedFragment[],
  countries: CountryRegistry,
  standard: Pick<OverviewSelection, "offered" | "site">,
): { selection: OverviewSelection; faults: string[] } {
  const faults: string[] = [];
  const byName = (name: string) => fragments.find(({ fragment }) => fragment.name === name);
  const offered = pick("fragment", byName, standard.offered);
  const site = pick("site", (code) => countries.get(code), standard.site);
  const answer = pick("answer", (name) => answers.find((known) => known === name), "content");
  const parameters = offered.fields.flatMap(({ name, initial }) => {
    // A form sends an empty field, too.
    const isValid = (value: string) => value === initial || offered.fragment.parse({ [name]: value }).valid;
    const value = pick(name, (text) => (isValid(text) ? text : undefined), initial);
    return value === initial || answer !== "content" ? [] : [[name, value]];
  });
  return { selection: { offered, site, answer, parameters: Object.fromEntries(parameters) }, faults };

  function pick<T>(name: string, find: (value: string) => T | undefined, initial: T): T {
    const value = query[name];
    if (value === undefined) return initial;
    const found = typeof value === "string" ? find(value) : undefined;
    if (found === undefined) faults.push(name);
    return found ?? initial;
  }
}

/** Writes a query that `readSelection` reads. */
export function queryOf({ offered, site, parameters, answer }: OverviewSelection): string {
  const query = { fragment: offered.fragment.name, site: site.site, ...parameters };
  return new URLSearchParams({ ...query, ...(answer !== "content" && { answer }) }).toString();
}

/** Returns the path of the selected answer. */
export function pathOf({ offered: { fragment, fields }, site, parameters, answer }: OverviewSelection): string {
  const path = `/fragments/${fragment.name}`;
  if (answer === "fallback") return `${path}/${site.site}/fallback`;
  // A parameter with limited values. Every fragment has at least the site.
  const restricted = fields.find(({ choices }) => choices)?.name ?? "site";
  const wrong = answer === "error" ? { [restricted]: "wrong" } : {};
  return `${path}?${new URLSearchParams({ site: site.site, ...parameters, ...wrong })}`;
}

/** Lists the states of a fragment: the default, each parameter changed by itself, and the answers to failures. */
export function listStates({ fields }: OfferedFragment): Pick<OverviewSelection, "parameters" | "answer">[] {
  const changed = fields.flatMap(({ name, choices = [], initial }) =>
    choices.filter((choice) => choice !== initial).map((choice) => ({ [name]: choice })),
  );
  return [
    ...[{}, ...changed].map((parameters) => ({ parameters, answer: "content" as const })),
    { parameters: {}, answer: "fallback" },
    { parameters: {}, answer: "error" },
  ];
}
