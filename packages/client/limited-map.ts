/**
 * Creates a map that forgets what was used least recently when it holds too much.
 * @param limits - how many values it holds, and how many bytes together
 */
export function createLimitedMap<Value extends { bytes: number }>(limits: { values: number; bytes: number }) {
  /** The values by key, least recently used first. */
  const map = new Map<string, Value>();
  let bytes = 0;
  return { get, set, values: () => map.values() };

  /** Returns a value, which then counts as just used. */
  function get(key: string): Value | undefined {
    const value = map.get(key);
    if (value) {
      map.delete(key);
      map.set(key, value);
    }
    return value;
  }

  function set(key: string, value: Value): void {
    bytes += value.bytes - (map.get(key)?.bytes ?? 0);
    map.delete(key);
    map.set(key, value);
    for (const [oldest, { bytes: size }] of map) {
      if (map.size <= limits.values && bytes <= limits.bytes) return;
      bytes -= size;
      map.delete(oldest);
    }
  }
}
