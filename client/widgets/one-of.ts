const reported = new Set<string>();

/**
 * Gives the value of a widget's property if it is one of those that are allowed, else the standard. Types keep wrong
 * values out of code; this keeps out those that arrive as data. Each wrong value is reported once.
 * @param property - names the widget and the property in the report: `button size`
 */
export function oneOf<const T extends string>(property: string, allowed: readonly T[], value: T, standard: T): T {
  if (allowed.includes(value)) return value;
  const fault = `${property}: "${value}" is none of ${allowed.join(", ")}`;
  // biome-ignore lint/suspicious/noConsole: for the developer of the page, in the browser and on the server alike
  if (!reported.has(fault)) console.warn(fault);
  reported.add(fault);
  return standard;
}
