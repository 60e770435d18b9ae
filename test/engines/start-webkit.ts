import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Builder, Key, Origin, type WebDriver } from "selenium-webdriver";
import { vi } from "vitest";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { type BrowserOptions, type Driver, windowSize } from "./driver.ts";

const keys = {
  Backspace: [Key.BACK_SPACE],
  Enter: [Key.ENTER],
  Escape: [Key.ESCAPE],
  "Shift+Tab": [Key.SHIFT, Key.TAB],
  Tab: [Key.TAB],
};

/** How long an order may take. */
const patience: Milliseconds = 30 * second;

/** Starts WebKitGTK, which is replaced if it stops for good: on a busy machine, a link to another host may do that. */
export async function startWebKit(options: BrowserOptions): Promise<Driver> {
  let session = await openSession(options);
  let hasStopped = false;
  async function give<Result>(order: (driver: WebDriver) => Promise<Result>): Promise<Result> {
    if (hasStopped) throw new Error("WebKit has stopped");
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      hasStopped = true;
      reject(new Error(`WebKit has done nothing for ${patience / second} s`));
    }, patience);
    return Promise.race([order(session.driver), stopped]).finally(() => clearTimeout(timer));
  }
  return {
    goto: (page) => give((driver) => driver.get(page)),
    evaluate: (expression) => give((driver) => driver.executeScript(`return ${expression}`)),
    picture: async () => Buffer.from(await give((driver) => driver.takeScreenshot()), "base64"),
    clickAt: (x, y) =>
      give((driver) => driver.actions().move({ x, y, duration: 0, origin: Origin.VIEWPORT }).click().perform()),
    type: (text) => give((driver) => driver.actions().sendKeys(text).perform()),
    press: (key) => give((driver) => press(driver, keys[key])),
    removeCookies: () => give((driver) => driver.manage().deleteAllCookies()),
    async replaceIfStopped() {
      if (!hasStopped) return false;
      await session.end();
      session = await openSession(options);
      hasStopped = false;
      return true;
    },
    async close() {
      if (!hasStopped) await session.driver.quit();
      await session.end();
    },
  };
}

/** Starts a browser on a screen of its own, driven by WebDriver. */
async function openSession({ scripting }: BrowserOptions) {
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
    driver,
    /** Ends the programs. Without its screen, the browser ends, too. */
    async end() {
      for (const child of [server, windowManager, screen]) await end(child);
    },
  };
}

async function press(driver: WebDriver, held: readonly string[]) {
  const actions = driver.actions();
  for (const key of held) actions.keyDown(key);
  for (const key of held.toReversed()) actions.keyUp(key);
  await actions.perform();
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
