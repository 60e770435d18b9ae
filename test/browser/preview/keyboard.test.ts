import type { Page } from "playwright";
import { describe } from "vitest";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { expect } from "../expect.ts";
import { desktop } from "../viewports.ts";
import { messageIn, openPreview, panelOf, test } from "./open-preview.ts";

const american = { ...desktop, locale: "en-US" };

describe("the preview panel", () => {
  const site = centralEuropeanSite;

  test("is used with the keyboard alone", async ({ newPage, shop }) => {
    const page = await newPage(american);
    const panel = await openPreview(page, shop, site);
    const settings = panel.getByRole("dialog", { name: "Preview settings" });
    await page.keyboard.press("Shift+Tab");
    await expect(panel.getByRole("button", { name: "Preview settings" })).toBeFocused();

    await page.keyboard.press("Enter");
    await expect(settings).toBeVisible();
    expect(await settings.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await expect(messageIn(settings)).toContainText("Active tests found.");
    await page.keyboard.press("Escape");
    await expect(settings).toBeHidden();
    await expect(panel.getByRole("button", { name: "Preview settings" })).toBeFocused();

    await page.keyboard.press("Enter");
    await expect(messageIn(settings)).toContainText("Active tests found.");
    await tabTo(page, "Date");
    await page.keyboard.type("12242026");
    await expect(settings.getByLabel("Date")).toHaveValue("2026-12-24");
    await tabTo(page, "Time");
    await page.keyboard.type("0600PM");
    await expect(settings.getByLabel("Time")).toHaveValue("18:00");
    await expect(messageIn(settings)).toContainText("Active tests found.");
    await tabTo(page, "A/B Test settings");
    await page.keyboard.press("Space");
    await tabTo(page, "Name");
    await page.keyboard.type("footer");
    await tabTo(page, "Group");
    await page.keyboard.type("B");
    await tabTo(page, "Dismiss the message");
    await page.keyboard.press("Enter");
    await expect(messageIn(settings)).toHaveText("");
    await tabTo(page, "Set preview settings");
    await page.keyboard.press("Enter");
    await expect(messageIn(settings)).toContainText("Settings applied successfully.");
    await expect(settings.getByRole("button", { name: "Set preview settings" })).toBeFocused();

    const loaded = page.waitForEvent("load");
    await page.keyboard.press("Escape");
    await loaded;
    await expect(panelOf(page)).toContainText("Preview: 24 Dec 2026, 18:00 CET footer-promotion: B");
  });
});

/** Presses Tab until an element of that name has the focus. */
async function tabTo(page: Page, name: string) {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      const [label] =
        activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement
          ? (activeElement.labels ?? [])
          : [];
      return (label ?? activeElement)?.textContent?.trim();
    });
  for (let steps = 0; steps < 20 && (await focused()) !== name; steps++) await page.keyboard.press("Tab");
  expect(await focused()).toBe(name);
}
