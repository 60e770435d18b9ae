const reported = new Set<string>();

/**
 * Returns a widget's property if it has an allowed value, otherwise the default. Types reject wrong values in code;
 * this rejects those that arrive as data. Warns once per wrong value.
 * @param property - the widget and the property, for the warning: `button size`
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

/**
 * Returns a widget's property for an attribute. Undefined for the default, because stylesheets handle the default
 * without the attribute.
 */
export function besidesDefault<const T extends string>(...property: Parameters<typeof oneOf<T>>): T | undefined {
  const value = oneOf(...property);
  return value === property[3] ? undefined : value;
}
