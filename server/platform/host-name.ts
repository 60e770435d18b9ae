/** Parses a Host header: the name in lower case, without the port; undefined if HTTP doesn't allow the value. */
export function parseHostName(value: string): string | undefined {
  return /^[\w.:[\]~-]+$/.test(value) ? URL.parse(`http://${value}`)?.hostname : undefined;
}
