import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { texts } from "../../support/test-app.ts";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { desktop } from "../viewports.ts";
import { fillInLogin, messageIn, openPreview, openSettings, panelOf } from "./open-preview.ts";
import { test } from "./preview-test.ts";

const context = "data-preview-context";
const american = { ...desktop, locale: "en-US" };

describe("staff", () => {
  const site = centralEuropeanSite;
  const text = texts.translator(site.locale, "demo");

  test("sign in, see the shop as on Christmas Eve in group B, and log out", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await page.goto(shop.address(site, "/preview"));
    const words = texts.translator(site.locale, "widgets");
    await page.getByRole("button", { name: words("showPassword") }).click();
    await expect(page.locator("main [name=password]")).toHaveAttribute("type", "text");
    await fillInLogin(page);
    await page.waitForURL(shop.address(site));
    const panel = panelOf(page);
    const footer = page.locator("footer[data-fragment=footer]");
    await expect(panel).toContainText("The shop as it is now");
    await expect(footer).not.toHaveAttribute(context);
    await expect(panel.getByRole("button", { name: "Share" })).toHaveCount(0);

    const settings = await openSettings(panel);
    await settings.getByLabel("Date").fill("2026-12-24");
    await settings.getByLabel("Time").fill("18:00");
    await settings.getByText("A/B Test settings").click();
    await settings.getByLabel("Name").selectOption("footer-promotion");
    await settings.getByLabel("Group").selectOption("B");
    const sent = page.waitForRequest("**/service/preview/api/token?*");
    await settings.getByRole("button", { name: "Set preview settings" }).click();
    await expect(settings.getByText("Settings applied successfully.")).toBeVisible();
    expect((await sent).postDataJSON()).toEqual({ previewDateTime: "2026-12-24T17:00:00Z" });

    const loaded = page.waitForEvent("load");
    await settings.getByRole("button", { name: "Close" }).click();
    await loaded;
    await expect(footer).toHaveAttribute(context, "true");
    await expect(page.locator("[data-section=promotion]")).toContainText(text("coffeeGifts.headline"));
    await expect(panel).toContainText("Preview: 24 Dec 2026, 18:00 CET footer-promotion: B");

    await (await openSettings(panel)).getByRole("button", { name: "Logout" }).click();
    await expect(footer).not.toHaveAttribute(context);
    await expect(panel).toHaveCount(0);
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["KnownStaffDevice"]);
  });
});

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

/** Goes on with Tab until something of that name has the focus. */
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
