import { minute } from "../../client/rules/time.ts";
import { answerRequests } from "./answer-requests.ts";
import { expect } from "./expect.ts";
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

  const framed = Promise.withResolvers<void>();
  await answerRequests(page, "*/fit-frames-*.js", (request) => framed.promise.then(request.continue));
  await page.reload({ waitUntil: "commit" });
  await expect(page.frameLocator("iframe").locator("[data-section=legal]")).toBeVisible();
  await page.frames().at(-1)?.waitForLoadState();
  framed.resolve();
  await expect.poll(hidden, { message: "a script that comes after the footer" }).toBe(0);
});

test("the overview copies a piece of code, and says where the browser forbids that", async ({ newPage, shop }) => {
  const page = await newPage(stillDesktop);
  await page.clock.install();
  await page.goto(shop.listener);
  await page.locator("details details summary").first().click();
  const button = page.locator("[data-copy]").filter({ visible: true }).last();
  const status = page.locator("[data-copy-status]");
  await button.click();
  await expect(status).toHaveText("Not copied. Select the code and copy it yourself.");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.runFor(4000);
  await button.click();
  await expect(status).toHaveText("Copied");
  await page.clock.runFor(2000);
  await expect(status, "for five seconds of its own").toHaveText("Copied");
  const code = await page.locator(`#${await button.getAttribute("data-copy")}`).textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);

  await page.clock.pauseAt(Date.now() + minute);
  await expect(status, "after five seconds").toHaveText("");
  for (let copied = 0; copied < 2; copied++) {
    await button.click();
    await expect(status, "before each message, which screen readers would miss otherwise").toHaveText("");
    const said = async () => page.clock.runFor(50).then(() => status.textContent());
    await expect.poll(said).toBe("Copied");
  }
});

test("the overview offers no copying where the browser has no clipboard", async ({ newPage, shop }) => {
  const page = await newPage(stillDesktop);
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto(shop.listener);
  await expect(page.locator("pre code").first()).toBeVisible();
  await expect(page.locator("[data-copy]").filter({ visible: true })).toHaveCount(0);
});
