/**
 * Parses a Host header.
 * @returns the name in lower case, without the port; undefined if HTTP doesn't allow the value (RFC 9110, 7.2)
 */
export function parseHostName(value: string): string | undefined {
  return /^[\w.:[\]~-]+$/.test(value) ? URL.parse(`http://${value}`)?.hostname : undefined;
}

/** Whether a host is this machine. No network can read what is sent there. */
export function isLoopback(host: string): boolean {
  return /(^|\.)localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(host);
}
