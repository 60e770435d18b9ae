import { unbroken } from "./unbroken.ts";

/**
 * Writes a waiting time in words, such as "8 Sekunden" or "2 Minuten".
 * @param locale - the language of the words
 */
export function waitingTime(seconds: number, locale: string): string {
  const [amount, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return unbroken(new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(amount));
}
