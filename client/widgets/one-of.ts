const reported = new Set<string>();

/**
 * Returns a widget's property if it is given and allowed, else the default. Types keep wrong values out of code; this handles those
 * that arrive as data. Warns once per wrong value.
 * @param property - the widget and the property in the warning: `button size`
 */
export function oneOf<const T extends string>(
  property: string,
  allowed: readonly T[],
  value: T | undefined,
  standard: T,
): T {
  if (value === undefined) return standard;
  if (allowed.includes(value)) return value;
  const fault = `${property}: "${value}" is none of ${allowed.join(", ")}`;
  // biome-ignore lint/suspicious/noConsole: for the developer of the page, in the browser and on the server alike
  if (!reported.has(fault)) console.warn(fault);
  reported.add(fault);
  return standard;
}

/** Returns a widget's property for an attribute: undefined for the default, which stylesheets need no attribute for. */
export function besidesDefault<const T extends string>(...property: Parameters<typeof oneOf<T>>): T | undefined {
  const value = oneOf(...property);
  return value === property[3] ? undefined : value;
}
