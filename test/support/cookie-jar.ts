import { parseSetCookie } from "cookie";

/** The cookies of a browser. */
export type Jar = Record<string, string>;

/** Returns a browser's cookies after an answer, without those of trusted devices. */
export function keep(jar: Jar, setCookies: readonly string[]): Jar {
  const kept = { ...jar };
  for (const { name, value, maxAge } of setCookies.map((text) => parseSetCookie(text))) {
    if (name.startsWith("Known")) continue;
    if (maxAge === 0 || !value) delete kept[name];
    else kept[name] = value;
  }
  return kept;
}
