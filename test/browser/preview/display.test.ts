import type { Locator, Page } from "playwright";
import { describe } from "vitest";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { enlargeText } from "../enlarge-text.ts";
import { expect } from "../expect.ts";
import { readyBlock } from "../open-newsletter.ts";
import { desktop } from "../viewports.ts";
import { christmas, openPreview, openTests, panelOf, test } from "./open-preview.ts";

const still = { reducedMotion: "reduce" } as const;
const narrow = { viewport: { width: 320, height: 640 } };
const forcedColors = { ...desktop, ...still, forcedColors: "active" } as const;

describe("the preview panel", () => {
  const site = centralEuropeanSite;

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

  test("fits 320 px when text is twice as large", async ({ newPage, shop }) => {
    const page = await newPage({ ...narrow, ...still });
    await enlargeText(page);
    const panel = await openPreview(page, shop, site, christmas);
    await expect(page.locator("html")).toHaveCSS("font-size", "32px");
    await expectUsable(page, panel);
  });

  test("covers nothing that has the focus, nor the page's end", async ({ newPage, shop }) => {
    const page = await newPage(narrow);
    const panel = await openPreview(page, shop, site, christmas);
    await expect(panel.getByRole("button", { name: /^Next change/ })).toBeVisible();
    // Its legal text opens when it gets the focus, and pushes the focused element away.
    const block = await readyBlock(page);
    await block.locator(".sf-expandable-control").click();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole("heading", { level: 1 }).click();
    const covered: string[] = [];
    for (let steps = 0; steps < 200; steps++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(findFocus);
      if (found.inPanel) break;
      // The message of the previous field, which was left empty, pushes this one down.
      if (found.name === "input firstName") await expect(block.locator(".sf-field-error")).toBeVisible();
      if ((await page.evaluate(findFocus)).isCovered) covered.push(found.name);
    }
    expect(await page.evaluate(findFocus)).toMatchObject({ inPanel: true });
    expect(covered).toEqual([]);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const bar = await panel.locator(".sf-preview-bar").boundingBox();
    const end = await page.locator("footer[data-fragment=footer]").boundingBox();
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
  });

  test("has edges and a mark of the focus in forced colours, animates nothing where that is wanted, and isn't printed", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage(forcedColors);
    const panel = await openPreview(page, shop, site, christmas);
    await expectEdges(panel.locator(".sf-preview-bar, button:visible"));
    const settings = await openTests(panel);
    await expectEdges(settings.locator("button:not(.sf-icon-button), input, select"));
    await page.keyboard.press("Tab");
    const focused = settings.locator(":focus");
    await expect(focused).toHaveCSS("outline-style", "solid");

    await expect(settings).toHaveCSS("animation-name", "none");
    await expect(settings.locator("summary .sf-icon")).toHaveCSS("transition-duration", "0s");
    await page.emulateMedia({ media: "print" });
    await expect(panel.locator(".sf-preview-bar")).toBeHidden();
  });
});

/** Expects that everything can be reached and read, and that most of the page stays visible. */
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

/** Runs in the page: finds parts of the panel that reach beyond the window sideways. */
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

/** Runs in the page: finds the focused element, and whether the bar covers all of it. */
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
