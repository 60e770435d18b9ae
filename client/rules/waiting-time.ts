/**
 * Formats a waiting time in words, such as "8 Sekunden" or "2 Minuten".
 */
export function waitingTime(seconds: number, locale: string): string {
  const [amount, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return unbroken(new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(amount));
}

/** Replaces spaces by non-breaking ones, so that a number stays on one line with its unit, and a date on one line. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}
