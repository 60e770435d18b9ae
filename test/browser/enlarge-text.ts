import type { Page } from "playwright";

/** Makes the visitor's own font size twice as large, from the next page on. Only Chromium can be told so. */
export async function enlargeText(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}
