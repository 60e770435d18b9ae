const reported = new Set<string>();

/**
 * The value if it is one of a widget's, else the default. Types keep wrong values out where they are written; this is
 * for those that arrive as data. Each wrong one is reported once.
 * @param property - widget and property, for the report: `button size`
 */
export function oneOf<const T extends string>(property: string, allowed: readonly T[], value: T, standard: T): T {
  if (allowed.includes(value)) return value;
  const fault = `${property}: "${value}" is none of ${allowed.join(", ")}`;
  // biome-ignore lint/suspicious/noConsole: for the developer of the page, in the browser and on the server alike
  if (!reported.has(fault)) console.warn(fault);
  reported.add(fault);
  return standard;
}
