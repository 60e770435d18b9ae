/**
 * Writes a schema's condition on lists, which lets validators name faults exactly, as the alternatives that generators of
 * types know. Both take the same values if neither branch takes those of the other.
 * @returns a schema with another condition, or without one, as it is
 */
export function asAlternatives<Part>(schema: Record<string, Part>): Record<string, Part | Part[]> {
  const { if: condition, then: list, else: single, ...others } = schema;
  const isOnList = JSON.stringify(condition) === '{"type":"array"}' && list !== undefined && single !== undefined;
  return isOnList ? { ...others, oneOf: [list, single] } : schema;
}
