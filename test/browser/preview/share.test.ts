import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../../test-app.ts";
import { desktop } from "../viewports.ts";
import { answerCalls, christmas, openPreview } from "./open-preview.ts";
import { test } from "./preview-test.ts";

const expiresAt = "2026-12-01T11:30:00Z";

describe.for(sites.filter(({ site }) => site === "DE"))("the link to a preview", (site) => {
  test("is made for this page, shown with its end, and copied", async ({ newPage, shop }) => {
    const page = await newPage({ ...desktop, permissions: ["clipboard-read", "clipboard-write"] });
    const url = shop.address(site, "/?shared=1");
    const panel = await openPreview(page, shop, site, christmas);
    const asked = await answerCalls(page, "share", (route) =>
      route.fulfill({ json: { status: "SUCCESS", url, expiresAt } }),
    );
    await panel.getByRole("button", { name: "Share" }).click();
    const dialog = panel.getByRole("dialog", { name: "Share this preview" });
    await expect(dialog.getByRole("link")).toHaveAttribute("href", url);
    await expect(dialog.getByRole("link")).toHaveText(url);
    await expect(dialog).toContainText("Works until 1 Dec 2026, 12:30 CET.");
    await dialog.getByRole("button", { name: "Copy the link" }).click();
    await expect(dialog.getByRole("status")).toHaveText("Copied.");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    expect(asked.map((request) => [request.method(), request.postDataJSON()])).toEqual([["POST", { path: "/" }]]);
    expect(asked[0]?.headers()["x-hunter-csrf"]).toBeTruthy();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(panel.getByRole("button", { name: "Share" })).toBeFocused();
  });

  test("is there to copy by hand where the browser doesn't let it be copied", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    const panel = await openPreview(page, shop, site, christmas);
    await answerCalls(page, "share", (route) =>
      route.fulfill({ json: { status: "SUCCESS", url: shop.address(site), expiresAt } }),
    );
    await panel.getByRole("button", { name: "Share" }).click();
    const dialog = panel.getByRole("dialog", { name: "Share this preview" });
    await dialog.getByRole("button", { name: "Copy the link" }).click();
    await expect(dialog.getByRole("status")).toHaveText("It can't be copied here: select it and copy it yourself.");
  });

  test("that can't be made is told", async ({ browser, shop }) => {
    const page = await browser.newPage(desktop);
    const panel = await openPreview(page, shop, site, christmas);
    await answerCalls(page, "share", (route) => route.fulfill({ status: 500 }));
    await panel.getByRole("button", { name: "Share" }).click();
    const dialog = panel.getByRole("dialog", { name: "Share this preview" });
    await expect(dialog.getByRole("alert")).toContainText("The link can't be made.");
    await page.context().close();
  });

  test("isn't offered for the shop as it is now", async ({ newPage, shop }) => {
    const panel = await openPreview(await newPage(desktop), shop, site);
    await expect(panel.getByRole("button", { name: "Preview settings" })).toBeVisible();
    await expect(panel.getByRole("button", { name: "Share" })).toHaveCount(0);
  });
});
