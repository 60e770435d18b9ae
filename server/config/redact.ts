/** Removes user, password and query from a URL. Other values stay unchanged. */
export function withoutSecrets(value: string, hasSecretPath = false): string {
  const url = URL.parse(value);
  if (!url?.host) return value;
  const { protocol, host, pathname } = url;
  return `${protocol}//${host}${hasSecretPath || pathname === "/" ? "" : pathname}`;
}
