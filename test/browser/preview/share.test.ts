import type { Page } from "playwright";
import { describe } from "vitest";
import { texts } from "../../support/test-app.ts";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { expect } from "../expect.ts";
import { stillDesktop } from "../viewports.ts";
import { answerCalls, christmas, fillInLogin, openPreview, panelOf, paths, test } from "./open-preview.ts";

const expiresAt = "2026-12-01T11:30:00Z";

describe("the link to a preview", () => {
  const site = centralEuropeanSite;

  test("is made for this page, copied, and shows a colleague the same after they have signed in", async ({
    newPage,
    shop,
  }) => {
    const here = shop.address(site, "/?from=share");
    const page = await newPage(stillDesktop);
    // Without a window, Chromium refuses something that it otherwise allows after a click.
    await page.context().grantPermissions(["clipboard-write"]);
    const panel = await openPreview(page, shop, site, christmas);
    await page.goto(here);
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === paths.share);
    await panel.getByRole("button", { name: "Share" }).click();
    const dialog = panel.getByRole("dialog", { name: "Share this preview" });
    await expect(dialog).toContainText(
      "Colleagues who open this link and sign in see the shop as you see it now. Their session is separate from yours.",
    );
    await dialog.getByRole("button", { name: "Copy the link" }).click();
    await expect(dialog.getByRole("status")).toHaveText("Copied.");
    const url = await dialog.getByRole("link").innerText();
    expect(url).toMatch(new RegExp(`^${shop.address(site, "/preview")}\\?share=`));
    await expect(dialog.getByRole("link")).toHaveAttribute("href", url);
    expect((await asked).method()).toBe("POST");
    expect((await asked).postDataJSON()).toEqual({ path: "/?from=share" });
    expect((await asked).headers()["x-hunter-csrf"]).toBeTruthy();

    const colleague = await newPage(stillDesktop);
    await colleague.goto(url);
    const words = texts.translator(site.locale, "widgets");
    await colleague.getByRole("button", { name: words("showPassword") }).click();
    await expect(colleague.locator("main [name=password]")).toHaveAttribute("type", "text");
    await expect(colleague.locator("main [name=user]")).toHaveAttribute("autocomplete", "username");
    await fillInLogin(colleague);
    await colleague.waitForURL(here);
    await expect(panelOf(colleague)).toContainText("Preview: 24 Dec 2026, 18:00 CET footer-promotion: B");
    const promotion = texts.translator(site.locale, "demo")("coffeeGifts.headline");
    await expect(colleague.locator("[data-section=promotion]")).toContainText(promotion);

    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(panel.getByRole("button", { name: "Share" })).toBeFocused();
    expect(await paste(page)).toBe(url);
  });

  test("is reported when it can't be created, and shown to copy by hand when the browser forbids to copy it", async ({
    shop,
    unwatchedPage,
  }) => {
    const page = await unwatchedPage(stillDesktop);
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    const panel = await openPreview(page, shop, site, christmas);
    await answerCalls(page, "share", (request) => request.fulfill({ status: 500 }));
    await panel.getByRole("button", { name: "Share" }).click();
    const dialog = panel.getByRole("dialog", { name: "Share this preview" });
    await expect(dialog.getByRole("alert")).toContainText("The link couldn’t be created. Try again later.");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await answerCalls(page, "share", (request) =>
      request.fulfill({ json: { status: "SUCCESS", url: shop.address(site), expiresAt } }),
    );
    await panel.getByRole("button", { name: "Share" }).click();
    await expect(dialog).toContainText("Valid until 1 Dec 2026, 12:30 CET.");
    await dialog.getByRole("button", { name: "Copy the link" }).click();
    await expect(dialog.getByRole("status")).toHaveText("Copying didn’t work. Select the link and copy it yourself.");
  });
});

/** Reads the clipboard by pasting, because only Chromium allows reading it directly. */
async function paste(page: Page): Promise<string> {
  await page.evaluate(() => document.body.prepend(document.createElement("textarea")));
  const field = page.locator("body > textarea");
  await field.focus();
  await page.keyboard.press("ControlOrMeta+V");
  return field.inputValue();
}
