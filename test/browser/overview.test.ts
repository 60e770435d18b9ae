import { expect } from "playwright/test";
import { test } from "./shop-test.ts";
import { desktop, stillDesktop } from "./viewports.ts";

test("the overview shows the whole footer, also after its width has changed", async ({ sharedPage, shop }) => {
  const page = await sharedPage(stillDesktop);
  await page.goto(`${shop.listener}/?platform=MATCH#preview`);
  const hidden = () =>
    page.locator("iframe").evaluate((frame: HTMLIFrameElement) => {
      const { scrollHeight = Infinity } = frame.contentDocument?.scrollingElement ?? {};
      return scrollHeight - frame.clientHeight;
    });
  await expect(page.frameLocator("iframe").locator("[data-section=legal]")).toBeVisible();
  for (const width of [desktop.viewport.width, 375]) {
    await page.setViewportSize({ ...desktop.viewport, width });
    await expect.poll(hidden, { message: `${width} px` }).toBe(0);
  }
});
