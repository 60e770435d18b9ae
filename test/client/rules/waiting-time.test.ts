import { describe, expect, it } from "vitest";
import { waitingTime } from "../../../client/rules/waiting-time.ts";

describe("a waiting time", () => {
  it.each([
    ["de-DE", 1, "1\u00a0Sekunde"],
    ["de-DE", 59, "59\u00a0Sekunden"],
    ["de-DE", 60, "1\u00a0Minute"],
    ["pl-PL", 61, "2\u00a0minuty"],
    ["tr-TR", 900, "15\u00a0dakika"],
  ])("is said in %s: %d seconds", (locale, seconds, words) => {
    expect(waitingTime(seconds, locale)).toBe(words);
  });
});
