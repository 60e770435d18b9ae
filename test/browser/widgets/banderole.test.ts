import { expect } from "playwright/test";
import { describe } from "vitest";
import { enlargeText } from "../enlarge-text.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("a banderole", () => {
  test("lies over the foot of its picture", async ({ sharedPage, shop }) => {
    const specimen = await openExample(await sharedPage(desktop), shop, "banderole", "default");
    const picture = await specimen.getByRole("img").boundingBox();
    const strip = await specimen.getByRole("paragraph").boundingBox();
    if (!picture || !strip) throw new Error("nothing is shown");
    expect(strip.x).toBe(picture.x);
    expect(strip.y).toBeGreaterThan(picture.y + picture.height / 2);
    expect(strip.y + strip.height).toBeLessThanOrEqual(picture.y + picture.height);
  });

  test("grows with the text instead of cutting it off", async ({ newPage, shop }) => {
    const page = await newPage({ viewport: { width: 320, height: 568 } });
    await enlargeText(page);
    const specimen = await openExample(page, shop, "banderole", "long text");
    const whole = await specimen.locator(".sf-banderole").boundingBox();
    const strip = specimen.getByRole("paragraph");
    await expect(strip).toHaveCSS("font-size", "32px");
    const box = await strip.boundingBox();
    if (!whole || !box) throw new Error("nothing is shown");
    expect(box.x + box.width).toBeLessThanOrEqual(whole.x + whole.width);
    expect(box.y).toBeGreaterThanOrEqual(whole.y);
    expect(await strip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});
