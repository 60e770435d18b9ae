import type { Locator, Page, Route } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { enlargeText } from "../enlarge-text.ts";
import { findViolations } from "../find-violations.ts";
import { readyBlock } from "../open-newsletter.ts";
import { desktop } from "../viewports.ts";
import { answerCalls, christmas, openPreview, openSettings, openTests, panelOf } from "./open-preview.ts";
import { test } from "./preview-test.ts";

const part = ".sf-preview";
const still = { reducedMotion: "reduce" } as const;
const narrow = { viewport: { width: 320, height: 640 } };
const forcedColors = { ...desktop, forcedColors: "active" } as const;
const failure = { status: 500, json: { status: "INTERNAL_ERROR" } };

describe("the preview panel", () => {
  const site = centralEuropeanSite;

  test.for([375, 1280])(
    "has no accessibility violation in any state, %i px wide",
    async (width, { shop, unwatchedPage }) => {
      const page = await unwatchedPage({ viewport: { width, height: 800 }, ...still });
      let tests: Parameters<Route["fulfill"]>[0] | undefined;
      const held = Promise.withResolvers<void>();
      await answerCalls(page, "tests", (route) => (tests ? route.fulfill(tests) : route.continue()));
      await answerCalls(page, "token", async (route) => {
        await held.promise;
        await route.fulfill(failure);
      });
      await answerCalls(page, "logout", (route) => route.fulfill(failure));
      const panel = await openPreview(page, shop, site, christmas);
      expect(await findViolations(page), "the whole page").toEqual([]);
      await panel.getByRole("button", { name: "Minimise" }).click();
      expect(await findViolations(page, part), "minimised").toEqual([]);
      await panel.getByRole("button", { name: "Show more" }).click();
      await panel.getByRole("button", { name: "Leave preview" }).click();
      held.resolve();
      await expectAccessible(panel, "Applying settings failed.");

      const settings = await openTests(panel);
      await expectAccessible(settings, "Active tests found.");
      await settings.getByLabel("Group").selectOption("");
      await settings.getByRole("button", { name: "Set preview settings" }).click();
      await expectAccessible(settings, "Please also select an A/B test group!");
      await settings.getByRole("button", { name: "Logout" }).click();
      await expectAccessible(settings, "Logging out failed.");
      tests = { json: [] };
      await settings.getByLabel("Date").fill("2027-03-28");
      await settings.getByLabel("Time").fill("02:30");
      await expectAccessible(settings, "No active tests for this date.");
      tests = failure;
      await settings.getByLabel("Date").fill("2026-10-25");
      await expectAccessible(settings, "Failed to fetch AB tests.");
    },
  );

  test.for([375, 1280])(
    "has no accessibility violation where it can't be shown, %i px wide",
    async (width, { shop, unwatchedPage }) => {
      const page = await unwatchedPage({ viewport: { width, height: 800 }, ...still });
      await page.context().addCookies([{ name: "preview", value: "true", url: shop.address(site) }]);
      await page.goto(shop.address(site));
      await expect(page.getByRole("alert").getByRole("link", { name: "Sign in" })).toBeVisible();
      expect(await findViolations(page)).toEqual([]);
    },
  );

  test("stays minimised over pages, until it isn't wanted so", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const panel = await openPreview(page, shop, site, christmas);
    const minimise = panel.getByRole("button", { name: "Minimise" });
    await minimise.click();
    const restore = panel.getByRole("button", { name: "Show more" });
    await expect(restore).toBeFocused();
    await page.reload();
    await expect(restore).toBeVisible();
    await expect(panel).toContainText("Preview: 24 Dec 2026, 18:00 CET");
    await expect(panel.getByRole("button", { name: "Preview settings" })).toHaveCount(0);
    await restore.click();
    await page.reload();
    await expect(panel.getByRole("button", { name: "Preview settings" })).toBeVisible();
  });

  test.for([320, 1280])("fits when text is twice as large, in a window of %i px", async (width, { newPage, shop }) => {
    const page = await newPage({ viewport: { width, height: 640 }, ...still });
    await enlargeText(page);
    const panel = await openPreview(page, shop, site, christmas);
    await expect(page.locator("html")).toHaveCSS("font-size", "32px");
    await expectUsable(page, panel);
  });

  test.for([narrow, desktop])(
    "covers nothing that has the focus, nor the page's end: %j",
    async (size, { newPage, shop }) => {
      const page = await newPage(size);
      const panel = await openPreview(page, shop, site, christmas);
      await expect(panel.getByRole("button", { name: /^Next change/ })).toBeVisible();
      // Its legal text opens when the focus gets there, and pushes away what has it.
      const block = await readyBlock(page);
      await block.locator(".sf-expandable-control").click();
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.getByRole("heading", { level: 1 }).click();
      const covered: string[] = [];
      for (let steps = 0; steps < 200; steps++) {
        await page.keyboard.press("Tab");
        const found = await page.evaluate(findFocus);
        if (found.inPanel) break;
        // The message of the field before, which was left empty, pushes this one down.
        if (found.name === "input firstName") await expect(block.locator(".sf-field-error")).toBeVisible();
        if ((await page.evaluate(findFocus)).isCovered) covered.push(found.name);
      }
      expect(await page.evaluate(findFocus)).toMatchObject({ inPanel: true });
      expect(covered).toEqual([]);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const bar = await panel.locator(".sf-preview-bar").boundingBox();
      const end = await page.locator("footer[data-fragment=footer]").boundingBox();
      expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
    },
  );

  test("has edges and a mark of what has the focus in forced colours", async ({ newPage, shop }) => {
    const page = await newPage(forcedColors);
    const panel = await openPreview(page, shop, site, christmas);
    await expectEdges(panel.locator(".sf-preview-bar, button:visible"));
    const settings = await openTests(panel);
    await expectEdges(settings.locator("button:not(.sf-icon-button), input, select"));
    await page.keyboard.press("Tab");
    const focused = settings.locator(":focus");
    await expect(focused).toHaveCSS("outline-style", "solid");
  });

  test("animates nothing for staff who want less motion", async ({ newPage, shop }) => {
    const page = await newPage({ ...desktop, ...still });
    const panel = await openPreview(page, shop, site);
    const settings = await openSettings(panel);
    await settings.getByText("A/B Test settings").click();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  test("isn't printed", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const panel = await openPreview(page, shop, site);
    await page.emulateMedia({ media: "print" });
    await expect(panel.locator(".sf-preview-bar")).toBeHidden();
  });
});

async function expectAccessible(place: Locator, message: string) {
  await expect(place.getByText(message)).toBeVisible();
  expect(await findViolations(place.page(), part), message).toEqual([]);
}

/** Everything can be reached and read, and most of the page still be seen. */
async function expectUsable(page: Page, panel: Locator) {
  const height = page.viewportSize()?.height ?? 0;
  await expect(panel.getByRole("button", { name: /^Next change/ })).toBeVisible();
  expect(await page.evaluate(findSticking)).toEqual([]);
  for (const button of await panel.locator(".sf-preview-bar > * button:visible").all()) {
    await expect(button).toBeInViewport({ ratio: 0.99 });
  }
  await panel.getByRole("button", { name: "Minimise" }).click();
  const box = await panel.locator(".sf-preview-bar").boundingBox();
  expect(box?.height).toBeLessThan(height / 2);
  expect(await page.evaluate(findSticking)).toEqual([]);
  await panel.getByRole("button", { name: "Show more" }).click();

  const settings = await openTests(panel);
  expect(await page.evaluate(findSticking)).toEqual([]);
  for (const control of await settings.locator("button:visible, input, select, summary").all()) {
    await control.focus();
    await expect(control).toBeInViewport({ ratio: 0.9 });
  }
  await page.keyboard.press("Escape");
  await expect(settings).toBeHidden();
  await expect(panelOf(page)).toBeVisible();
}

async function expectEdges(elements: Locator) {
  for (const element of await elements.all()) {
    await expect(element).toHaveCSS("border-top-style", "solid");
    await expect(element).not.toHaveCSS("border-top-width", "0px");
  }
}

/** In the page: what of the panel sticks out of the window sideways. */
function findSticking(): string[] {
  const root = document.documentElement;
  const all = [root, ...document.querySelectorAll(".sf-preview *:not(svg *, .sf-preview-change *)")];
  return all.flatMap((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const shown = element.checkVisibility() && width * height > 0 && getComputedStyle(element).clipPath === "none";
    const out =
      shown && (left < -1 || right > root.clientWidth + 1 || (element === root && root.scrollWidth > right + 1));
    return out ? [`${element.localName}.${element.className}: ${left} to ${right}`] : [];
  });
}

/** In the page: what has the focus, and whether the bar lies over all of it. */
function findFocus() {
  const { activeElement } = document;
  const bar = document.querySelector(".sf-preview-bar")?.getBoundingClientRect();
  const place = activeElement?.getBoundingClientRect();
  return {
    name: `${activeElement?.localName} ${activeElement?.getAttribute("name") ?? activeElement?.textContent}`,
    inPanel: activeElement?.closest(".sf-preview") !== null,
    isCovered: (place?.top ?? 0) >= (bar?.top ?? 0),
  };
}
