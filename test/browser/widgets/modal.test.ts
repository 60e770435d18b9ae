import type { Locator, Page } from "playwright";
import { describe, inject } from "vitest";
import { enlargeText } from "../enlarge-text.ts";
import { expect } from "../expect.ts";
import { launchBrowser } from "../launch-browser.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openWatchedPage } from "../watched-page.ts";
import { openExample } from "./open-example.ts";

const window1280 = { viewport: { width: 1280, height: 800 } };

/** A place on the backdrop. */
const beside = { x: 20, y: 400 };

async function openModal(specimen: Locator, title: string): Promise<Locator> {
  await specimen.getByRole("button", { name: title }).click();
  const dialog = specimen.getByRole("dialog", { name: title });
  await expect(dialog).toBeVisible();
  return dialog;
}

const focusIsInside = (dialog: Locator) => dialog.evaluate((element) => element.contains(document.activeElement));

describe("a modal", () => {
  test("closes on Escape and its close button, as often as it is opened, and gives the focus back", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(window1280);
    const specimen = await openExample(page, shop, "modal", "size M");
    const close = (dialog: Locator) => dialog.getByRole("button", { name: "Close" }).click();
    for (const leave of [() => page.keyboard.press("Escape"), close, close]) {
      const dialog = await openModal(specimen, "How delivery works");
      expect(await focusIsInside(dialog)).toBe(true);
      await leave(dialog);
      await expect(dialog).toBeHidden();
      await expect(specimen.getByRole("button", { name: "How delivery works" })).toBeFocused();
    }
  });

  test("closes on a click beside it, if it is pressed and released there", async ({ sharedPage, shop }) => {
    const page = await sharedPage(window1280);
    const specimen = await openExample(page, shop, "modal", "size M");
    const dialog = await openModal(specimen, "How delivery works");
    // The dialog moves while it opens.
    await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    const text = await dialog.getByText("We send your order").boundingBox();
    const inside = { x: (text?.x ?? 0) + 10, y: (text?.y ?? 0) + 10 };
    for (const [from, to] of [
      [inside, beside],
      [beside, inside],
      [inside, inside],
    ] as const) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y);
      await page.mouse.up();
      await expect(dialog).toBeVisible();
    }
    await page.mouse.click(beside.x, beside.y);
    await expect(dialog).toBeHidden();
    await expect(specimen.getByRole("button", { name: "How delivery works" })).toBeFocused();
  });

  test.for(["size M", "long content"])("never lets Tab out: %s", async (example, { sharedPage, shop }) => {
    const page = await sharedPage(window1280);
    const specimen = await openExample(page, shop, "modal", example);
    await specimen.getByRole("button").first().click();
    const dialog = specimen.getByRole("dialog");
    for (const key of ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
      await page.keyboard.press(key);
      expect(await focusIsInside(dialog), key).toBe(true);
    }
    for (const key of ["Tab", "Shift+Tab"]) {
      await dialog
        .getByRole("paragraph")
        .last()
        .click({ position: { x: 2, y: 2 } });
      await page.keyboard.press(key);
      expect(await focusIsInside(dialog), `${key} after a click on a text`).toBe(true);
    }
    await page.keyboard.press("Escape");
  });

  test("above another keeps the keyboard, and leaves the other open", async ({ sharedPage, shop }) => {
    const page = await sharedPage(window1280);
    const specimen = await openExample(page, shop, "modal", "one above another");
    const lower = await openModal(specimen, "Your order");
    const upper = await openModal(lower, "Cancel the order");
    for (const key of ["Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
      await page.keyboard.press(key);
      expect(await focusIsInside(upper), key).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect(upper).toBeHidden();
    await expect(lower.getByRole("button", { name: "Cancel the order" })).toBeFocused();
    expect(await scrolledBy(page, 200)).toBe(0);
    await page.keyboard.press("Escape");
    await expect(lower).toBeHidden();
    expect(await scrolledBy(page, -200)).not.toBe(0);
  });

  test("keeps the page from scrolling, and its content in place", async ({ shop }) => {
    const scrollbars = { ignoreDefaultArgs: ["--hide-scrollbars"] };
    const browser = await launchBrowser(inject("browserPath"), scrollbars);
    const { page, takeFaults } = await openWatchedPage(browser, window1280);
    const room = () => page.evaluate(() => document.body.getBoundingClientRect().width);
    try {
      const specimen = await openExample(page, shop, "modal", "size M");
      const before = await room();
      expect(before).toBeLessThan(1280);
      const dialog = await openModal(specimen, "How delivery works");
      expect(await room()).toBe(before);
      expect(await scrolledBy(page, 300)).toBe(0);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      expect(await room()).toBe(before);
      expect(await scrolledBy(page, -300)).not.toBe(0);
      expect(takeFaults()).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test("is wider from size to size", async ({ sharedPage, shop }) => {
    const page = await sharedPage(window1280);
    const widths: number[] = [];
    for (const size of ["S", "M", "L"]) {
      const specimen = await openExample(page, shop, "modal", `size ${size}`);
      await specimen.getByRole("button").first().click();
      widths.push((await specimen.getByRole("dialog").boundingBox())?.width ?? 0);
      await page.keyboard.press("Escape");
    }
    expect(widths).toEqual([384, 640, 960]);
  });

  test("fits a small window with text twice as large, and scrolls inside", async ({ newPage, shop }) => {
    const page = await newPage({ viewport: { width: 320, height: 568 }, reducedMotion: "reduce" });
    await enlargeText(page);
    const specimen = await openExample(page, shop, "modal", "long content");
    await specimen.getByRole("button").first().click();
    const dialog = specimen.getByRole("dialog");
    await expect(dialog).toHaveCSS("font-size", "32px");
    await expect(dialog.getByRole("button", { name: "Close" })).toBeInViewport({ ratio: 1 });
    const box = await dialog.evaluate(({ clientWidth, scrollWidth, clientHeight, scrollHeight }) => ({
      sideways: scrollWidth - clientWidth,
      down: scrollHeight - clientHeight,
    }));
    expect(box.sideways).toBe(0);
    expect(box.down).toBeGreaterThan(100);
    await page.keyboard.press("End");
    await expect(dialog.getByText("12. We send")).toBeInViewport();
  });

  test("neither moves nor fades where less motion is wanted, and has an edge in forced colours", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage({ ...desktop, reducedMotion: "reduce", forcedColors: "active" });
    const dialog = await openModal(await openExample(page, shop, "modal", "size M"), "How delivery works");
    await expect(dialog).toHaveCSS("animation-name", "none");
    const [line, fill] = await dialog.evaluate((element) => {
      const { borderTopColor, backgroundColor } = getComputedStyle(element);
      return [borderTopColor, backgroundColor];
    });
    await expect(dialog).toHaveCSS("border-top-width", "1px");
    expect(line).not.toBe(fill);
  });
});

/** Measures how far the wheel over the backdrop scrolls the page, in pixels. */
async function scrolledBy(page: Page, distance: number): Promise<number> {
  const before = await page.evaluate(() => window.scrollY);
  await page.mouse.move(beside.x, beside.y);
  await page.mouse.wheel(0, distance);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return (await page.evaluate(() => window.scrollY)) - before;
}
