import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Builder, Key, Origin, type WebDriver } from "selenium-webdriver";
import { vi } from "vitest";
import { findFreePort } from "../support/find-free-port.ts";
import { type BrowserOptions, type Driver, windowSize } from "./driver.ts";

const keys = {
  Backspace: [Key.BACK_SPACE],
  Enter: [Key.ENTER],
  Escape: [Key.ESCAPE],
  "Shift+Tab": [Key.SHIFT, Key.TAB],
  Tab: [Key.TAB],
};

/** Starts WebKitGTK on a screen of its own, driven by WebDriver. */
export async function startWebKit({ scripting }: BrowserOptions): Promise<Driver> {
  const screen = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1600x1200x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [number] = await once(screen.stdout, "data");
  const env = {
    ...process.env,
    DISPLAY: `:${String(number).trim()}`,
    // There is no graphics hardware, and simulating it takes half as much time again.
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  };
  // Without a window manager no window has the focus.
  const windowManager = spawn("openbox", { env, stdio: "ignore" });
  const port = await findFreePort();
  const server = spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" });
  const address = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${address}/status`), 10_000);

  const args = ["--automation", `--enable-javascript-markup=${scripting}`];
  const driver = await new Builder()
    .usingServer(address)
    .withCapabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": { args } })
    .build();
  await resize(driver);
  return {
    goto: (page) => driver.get(page),
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    picture: async () => Buffer.from(await driver.takeScreenshot(), "base64"),
    clickAt: (x, y) => driver.actions().move({ x, y, duration: 0, origin: Origin.VIEWPORT }).click().perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    async press(key) {
      const held = keys[key];
      const actions = driver.actions();
      for (const one of held) actions.keyDown(one);
      for (const one of held.toReversed()) actions.keyUp(one);
      await actions.perform();
    },
    removeCookies: () => driver.manage().deleteAllCookies(),
    async close() {
      await driver.quit();
      for (const child of [server, windowManager, screen]) await end(child);
    },
  };
}

/** Makes the window so large that the page has the wanted size. */
async function resize(driver: WebDriver) {
  const window = driver.manage().window();
  await window.setRect({ ...windowSize, x: 0, y: 0 });
  const shown = await driver.executeScript<number>("return innerHeight");
  await window.setRect({ width: windowSize.width, height: 2 * windowSize.height - shown, x: 0, y: 0 });
}

async function end(child: ChildProcess) {
  child.kill();
  await once(child, "exit");
}
