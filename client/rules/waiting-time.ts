/**
 * A waiting time in words: "8 Sekunden", "2 Minuten".
 * @param locale - in which language
 */
export function waitingTime(seconds: number, locale: string): string {
  const [amount, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(amount);
}
