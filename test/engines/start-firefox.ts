import puppeteer from "puppeteer-core";
import { type BrowserOptions, type Driver, windowSize } from "./driver.ts";

/** Starts Firefox, driven by WebDriver BiDi. */
export async function startFirefox({ scripting }: BrowserOptions): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    extraPrefsFirefox: { "javascript.enabled": scripting },
  });
  // The first page never gets the focus.
  const page = await browser.newPage();
  await page.setViewport(windowSize);
  const { keyboard, mouse } = page;
  return {
    goto: async (address) => void (await page.goto(address)),
    evaluate: (expression) => page.evaluate(expression),
    picture: () => page.screenshot(),
    clickAt: (x, y) => mouse.click(x, y),
    type: (text) => keyboard.type(text),
    async press(key) {
      if (key !== "Shift+Tab") return keyboard.press(key);
      await keyboard.down("Shift");
      await keyboard.press("Tab");
      await keyboard.up("Shift");
    },
    async removeCookies() {
      const context = page.browserContext();
      await context.deleteCookie(...(await context.cookies()));
    },
    close: () => browser.close(),
  };
}
