import type { Page } from "playwright";
import { expect } from "./expect.ts";
import { expectDrawn, loadImages } from "./load-everything.ts";

/** Expects a page's footer with what only its stylesheet sets, and with every picture and icon. */
export async function expectStyledFooter(page: Page): Promise<void> {
  const footer = page.locator("footer[data-fragment=footer]");
  await expect(footer.locator("[data-section=legal] ul").last()).toHaveCSS("list-style-type", "none");
  await expect(footer.locator("[data-section=payment] ul")).toHaveCSS("display", "flex");
  await loadImages(footer.locator("img:visible"));
  await expectDrawn(footer);
}
