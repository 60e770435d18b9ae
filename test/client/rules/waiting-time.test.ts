import { describe, expect, it } from "vitest";
import { waitingTime } from "../../../client/rules/waiting-time.ts";

describe("a waiting time", () => {
  it.each([
    ["de-DE", 1, "1 Sekunde"],
    ["de-DE", 59, "59 Sekunden"],
    ["de-DE", 60, "1 Minute"],
    ["pl-PL", 61, "2 minuty"],
    ["tr-TR", 900, "15 dakika"],
  ])("is said in %s: %d seconds", (locale, seconds, words) => {
    expect(waitingTime(seconds, locale).replace(/\s/, " ")).toBe(words);
  });
});
