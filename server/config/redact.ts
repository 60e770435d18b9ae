/** Removes user, password and query of an address; other values stay as they are. */
export function withoutSecrets(value: string, hasSecretPath = false): string {
  const url = URL.parse(value);
  if (!url?.host) return value;
  const { protocol, host, pathname } = url;
  return `${protocol}//${host}${hasSecretPath || pathname === "/" ? "" : pathname}`;
}
