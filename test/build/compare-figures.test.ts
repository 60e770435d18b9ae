import { describe, expect, it } from "vitest";
import { compareFigure } from "../bench/compare-figures.ts";

const figure = { name: "rendered", title: "footer, rendered", unit: "µs" };

describe("a figure of the benchmark beside that of a commit", () => {
  it("is worse when it costs over 5 % more in nearly every round", () => {
    const compared = compareFigure({
      ...figure,
      counts: "median",
      base: [100, 110, 90, 100],
      now: [108, 120, 97, 109],
    });
    expect(compared).toMatchObject({ base: 100, now: 108.5, ratio: 1.085, isWorse: true });
  });

  it("is not worse when the rounds differ by more than it does", () => {
    const compared = compareFigure({
      ...figure,
      counts: "median",
      base: [100, 130, 90, 100],
      now: [90, 125, 115, 120],
    });
    expect(compared.ratio).toBeGreaterThan(1.05);
    expect(compared.isWorse).toBe(false);
  });

  it("is not worse when it costs 5 % more", () => {
    expect(compareFigure({ ...figure, counts: "min", base: [100, 100], now: [105, 105] }).isWorse).toBe(false);
  });

  it("counts the quickest round where only other work on the machine slows a round down", () => {
    const compared = compareFigure({ ...figure, counts: "min", base: [30, 90], now: [31, 300] });
    expect(compared).toMatchObject({ base: 30, now: 31 });
  });
});
