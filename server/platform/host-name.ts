/**
 * Parses a Host header.
 * @returns the name in lower case, without the port; undefined if HTTP doesn't allow the value (RFC 9110, 7.2)
 */
export function parseHostName(value: string): string | undefined {
  return /^[\w.:[\]~-]+$/.test(value) ? URL.parse(`http://${value}`)?.hostname : undefined;
}
