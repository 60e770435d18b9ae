/**
 * Reads until when an answer may be used: https://www.rfc-editor.org/rfc/rfc9111,
 * https://www.rfc-editor.org/rfc/rfc5861
 */
export function lifetimesOf({ headers }: Response) {
  const policy = headers.get("cache-control") ?? "";
  const isShared = !/\b(?:private|no-store)\b/.test(policy);
  const seconds = (name: string) => {
    const [, value] = new RegExp(`(?<![\\w-])${name}=(\\d+)`).exec(policy) ?? [];
    return isShared && value ? Number(value) : undefined;
  };
  const maxAge = seconds("s-maxage") ?? seconds("max-age") ?? 0;
  const freshUntil = performance.now() + 1000 * Math.max(0, maxAge - Number(headers.get("age") ?? 0));
  const later = (name: string) => freshUntil + 1000 * (seconds(name) ?? 0);
  return { freshUntil, staleUntil: later("stale-while-revalidate"), errorUntil: later("stale-if-error") };
}
