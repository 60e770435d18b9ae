/** A group of an A/B test. */
export interface AbGroup {
  test: string;
  group: string;
}

/**
 * Reads the value of the parameter `variant`.
 * @param variant - `<test>:<group>`, as the schemas of parameters allow it
 */
export function parseVariant(variant: string): AbGroup {
  const [test = "", group = ""] = variant.split(":");
  return { test, group };
}

export function variantOf({ test, group }: AbGroup): string {
  return `${test}:${group}`;
}

/** The `Surrogate-Key` of every response to requests for a group. */
export function variantTag(group: AbGroup): string {
  return `variant:${variantOf(group)}`;
}
