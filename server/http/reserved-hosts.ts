/** Tells whether a host has one of the names for examples and tests, at which nobody is: RFC 2606, RFC 6761. */
export function isExampleHost(host: string): boolean {
  return /(^|\.)(example|test|invalid|example\.(com|net|org))\.?$/i.test(host);
}

/** Tells whether a host is the machine itself, by name or by address. */
export function isLocalHost(host: string): boolean {
  return /(^|\.)localhost\.?$|^(127\.|0\.0\.0\.0$)|^\[::1?\]$/i.test(host);
}
