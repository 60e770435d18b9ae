import type { Page } from "playwright";

/** Doubles the visitor's own font size, from the next page on. Only Chromium supports this. */
export async function enlargeText(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}
