import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("a date", () => {
  test("is typed into its parts; a year ends at four digits", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const day = (await openExample(page, shop, "date-input", "default")).getByLabel("Delivery day");
    await day.focus();
    await page.keyboard.type("12042026");
    await expect(day).toHaveValue("2026-12-04");
    await page.keyboard.type("7");
    expect((await day.inputValue()).length).toBeLessThanOrEqual(10);
  });

  test("keeps to its limits", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const stage = await openExample(page, shop, "date-input", "with a hint and limits");
    const day = stage.getByLabel("Delivery day");
    const fits = () => day.evaluate((input: HTMLInputElement) => input.validity.valid);
    await day.fill("2026-12-15");
    expect(await fits()).toBe(true);
    await day.fill("2026-12-16");
    expect(await fits()).toBe(false);
    await expect(day).toHaveAccessibleDescription("In the first half of December.");
  });
});

describe("a time", () => {
  test("is typed into its parts", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const time = (await openExample(page, shop, "time-input", "default")).getByLabel("Pick-up time");
    await time.focus();
    await page.keyboard.type("0630PM");
    await expect(time).toHaveValue("18:30");
  });

  test("keeps to its steps", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const stage = await openExample(page, shop, "time-input", "with a hint and quarters of an hour");
    const time = stage.getByLabel("Pick-up time");
    await time.focus();
    await time.press("Tab");
    await page.keyboard.press("ArrowUp");
    await expect(time).toHaveValue("09:30");
  });
});
