import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { texts } from "../../support/test-app.ts";
import { sitesOfBothClocks } from "../chosen-sites.ts";
import { desktop } from "../viewports.ts";
import { fillInLogin, openSettings, panelOf } from "./open-preview.ts";
import { test } from "./preview-test.ts";

const context = "data-preview-context";

describe.for(sitesOfBothClocks)("staff of $site", (site) => {
  const text = texts.translator(site.locale, "demo");
  const evening = Temporal.PlainDateTime.from("2026-12-24T18:00").toZonedDateTime(site.timeZone);

  test("sign in, see the shop as on Christmas Eve in group B, and log out", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await page.goto(shop.address(site, "/preview"));
    await fillInLogin(page);
    await page.waitForURL(shop.address(site));
    const panel = panelOf(page);
    const footer = page.locator("footer[data-fragment=footer]");
    await expect(panel).toContainText("The shop as it is now");
    await expect(footer).not.toHaveAttribute(context);

    const settings = await openSettings(panel);
    await settings.getByLabel("Date").fill("2026-12-24");
    await settings.getByLabel("Time").fill("18:00");
    await settings.getByText("A/B Test settings").click();
    await settings.getByLabel("Name").selectOption("footer-promotion");
    await settings.getByLabel("Group").selectOption("B");
    const sent = page.waitForRequest("**/service/preview/api/token?*");
    await settings.getByRole("button", { name: "Set preview settings" }).click();
    await expect(settings.getByText("Settings applied successfully.")).toBeVisible();
    expect((await sent).postDataJSON()).toEqual({ previewDateTime: evening.toInstant().toString() });

    const loaded = page.waitForEvent("load");
    await settings.getByRole("button", { name: "Close" }).click();
    await loaded;
    await expect(footer).toHaveAttribute(context, "true");
    await expect(page.locator("[data-section=promotion]")).toContainText(text("coffeeGifts.headline"));
    await expect(panel).toContainText(/Preview: 24 Dec 2026, 18:00 (CET|GMT\+3|TRT) footer-promotion: B/);

    await (await openSettings(panel)).getByRole("button", { name: "Logout" }).click();
    await expect(footer).not.toHaveAttribute(context);
    await expect(panel).toHaveCount(0);
    expect(await cookiesOf(page)).toEqual(["KnownStaffDevice"]);
  });
});

async function cookiesOf(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name);
}
