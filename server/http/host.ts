/**
 * Reads the name of the host from the value of a Host header.
 * @returns the name in lower case, without the port; undefined when the value is none that HTTP allows
 */
export function hostNameOf(value: string): string | undefined {
  return /^[\w.:[\]~-]+$/.test(value) ? URL.parse(`http://${value}`)?.hostname : undefined;
}
