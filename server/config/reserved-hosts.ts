/** Whether a host can't belong to a shop: an example, or this machine. */
export function isReserved(host: string): boolean {
  return isExample(host) || isThisMachine(host);
}

export function isThisMachine(host: string): boolean {
  return /(^|\.)localhost\.?$|^(127\.|0\.0\.0\.0$)|^\[::1?\]$/i.test(host);
}

/** Names reserved for examples and tests: RFC 2606, RFC 6761. */
export function isExample(host: string): boolean {
  return /(^|\.)(example|test|invalid|example\.(com|net|org))\.?$/i.test(host);
}

/** Returns the host name of a URL; empty if the text isn't a URL. */
export function hostNameOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
