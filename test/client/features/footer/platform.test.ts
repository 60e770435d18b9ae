import { describe, expect, it } from "vitest";
import { platformOf } from "../../../../client/features/footer/platform.ts";

describe("the platform", () => {
  it.each([
    [320, "MATCH"],
    [767, "MATCH"],
    [768, "TABLET"],
    [1279, "TABLET"],
    [1280, "CLASSIC"],
    [20_000, "CLASSIC"],
  ])("of a window %i px wide is %s", (width, platform) => {
    expect(platformOf([], width)).toBe(platform);
    expect(platformOf(["PHONE", undefined], width)).toBe(platform);
  });

  it.each(["MATCH", "TABLET", "CLASSIC"])("is the first that is named: %s", (named) => {
    expect(platformOf([undefined, named, "TABLET"], 1000)).toBe(named);
  });
});
