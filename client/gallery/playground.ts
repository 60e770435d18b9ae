import type { PlaygroundProperties, WidgetDoc } from "../widgets/widget-doc.ts";

/** What the reader has set in a playground, by the names of properties: a text, "" for the standard, or a yes or no. */
export type PlaygroundValues = Record<string, string | boolean>;

/** One property of a widget that the reader can set. */
export interface PlaygroundControl {
  name: string;
  kind: "choice" | "switch" | "text" | "number";
  /** What there is to choose from, if it is a choice. */
  choices: readonly string[];
  /** What counts as long as nothing is set; a property without a standard has none. */
  standard: string | undefined;
  start: string | boolean;
}

/** A longer text is cut, so that no address makes the page big: test/server/gallery/widgets-route.test.ts */
export const longestText = 200;

/**
 * Lists what can be set in the playground of a widget.
 * @throws {Error} if the widget's documentation has no property of a name
 */
export function controlsOf({ widget, playground, properties }: WidgetDoc): PlaygroundControl[] {
  return Object.entries(playground.start).map(([name, start]) => {
    const property = properties.find((candidate) => candidate.name.split(", ").includes(name));
    if (!property) throw new Error(`the ${widget} has no property "${name}"`);
    const { type, standard } = property;
    if (typeof type !== "string") return { name, kind: "choice", choices: type, standard, start };
    const kind = start === false ? "switch" : type === "number" ? "number" : "text";
    return { name, kind, choices: [], standard, start };
  });
}

/** Reads what is set from the query of an address; what it doesn't name, or names wrongly, is as at first. */
export function readValues(controls: PlaygroundControl[], query: Record<string, unknown>): PlaygroundValues {
  return Object.fromEntries(controls.map((control) => [control.name, readValue(control, query[control.name])]));
}

function readValue({ kind, choices, start }: PlaygroundControl, given: unknown): string | boolean {
  if (typeof given !== "string") return start;
  if (kind === "switch") return true;
  if (kind === "choice") return ["", ...choices].includes(given) ? given : start;
  return given.slice(0, longestText);
}

/**
 * Writes the query that `readValues` reads, as the playground's form does when it is sent without script.
 * @param language - the language of the examples, if it isn't the gallery's own
 */
export function queryOf(controls: PlaygroundControl[], values: PlaygroundValues, language?: string): string {
  const set = controls.flatMap(({ name, start }) => {
    const value = values[name] ?? start;
    return value === start ? [] : [[name, value === true ? "on" : String(value)]];
  });
  return new URLSearchParams(language ? [...set, ["language", language]] : set).toString();
}

/** Gives the properties of the widget for what is set. One that is empty, or no number where it should be, is left out. */
export function propertiesOf(controls: PlaygroundControl[], values: PlaygroundValues): PlaygroundProperties {
  const set = controls.flatMap(({ name, kind }) => {
    const value = kind === "number" ? Number(values[name] || Number.NaN) : values[name];
    return value === undefined || value === "" || value === false || Number.isNaN(value)
      ? []
      : [[name, value] as const];
  });
  return Object.fromEntries(set);
}

/** Writes the code that a developer would write to get what is set. */
export function playgroundCode(
  { tag }: WidgetDoc["playground"],
  controls: PlaygroundControl[],
  values: PlaygroundValues,
) {
  const { children, ...properties } = propertiesOf(controls, values);
  const isStandard = (name: string, value: unknown) =>
    controls.some((control) => control.name === name && control.standard === value);
  const attributes = Object.entries(properties).flatMap(([name, value]) =>
    isStandard(name, value) ? [] : [attribute(name, value)],
  );
  const opening = [`<${tag}`, ...attributes].join(attributes.length > 2 ? "\n  " : " ");
  const end = attributes.length > 2 ? "\n" : "";
  if (children === undefined) return `${opening}${end || " "}/>`;
  const text = String(children);
  return `${opening}${end}>${/[{}<>&]/.test(text) ? `{${JSON.stringify(text)}}` : text}</${tag.split(" ")[0]}>`;
}

function attribute(name: string, value: string | number | boolean): string {
  if (value === true) return name;
  if (typeof value === "string" && !/["&\\]/.test(value)) return `${name}="${value}"`;
  return `${name}={${JSON.stringify(value)}}`;
}
