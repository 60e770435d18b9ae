/**
 * Rewrites a schema's condition on lists as alternatives, because generators of types understand no conditions.
 * Validators get the condition, with which they name faults exactly. Both accept the same values if neither branch
 * accepts those of the other.
 * @returns the schema with alternatives; one with another condition, or with none, unchanged
 */
export function asAlternatives<Part>(schema: Record<string, Part>): Record<string, Part | Part[]> {
  const { if: condition, then: list, else: single, ...others } = schema;
  const isOnList = JSON.stringify(condition) === '{"type":"array"}' && list !== undefined && single !== undefined;
  return isOnList ? { ...others, oneOf: [list, single] } : schema;
}
