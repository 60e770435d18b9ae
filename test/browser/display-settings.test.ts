import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const forcedColors = { ...desktop, forcedColors: "active" } as const;
const reducedMotion = { ...phone, reducedMotion: "reduce" } as const;
const printed = { ...desktop };
const offers = ["promotion", "newsletter", "social", "apps"];
const choices = ["view-changer", "country-switcher"];

describe("the footer", () => {
  const site = anySite;

  test("keeps borders, icons and the mark of what has the focus in forced colours", async ({ open }) => {
    const page = await open(site, forcedColors);
    const footer = page.locator("footer[data-fragment=footer]");
    expect(await footer.evaluate(findLostInForcedColors)).toEqual([]);
    const target = footer.locator("a, button, summary").filter({ visible: true }).first();
    await target.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await expect(target).toBeFocused();
    await expect(target).toHaveCSS("outline-style", "solid");
    await expect(target).toHaveCSS("outline-width", "3px");
  });

  test("animates nothing when the visitor wants less motion", async ({ open }) => {
    const page = await open(site, reducedMotion);
    await page.locator("[data-section=teasers] summary").first().tap();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await expect(page.locator("[data-section=teasers] ul").first()).toBeVisible();
  });

  test("prints the information without the offers and choices", async ({ open }) => {
    const page = await open(site, printed);
    await page.emulateMedia({ media: "print" });
    for (const section of [...offers, ...choices]) {
      await expect(page.locator(`[data-section=${section}]`), section).toBeHidden();
    }
    for (const section of ["teasers", "legal", "sales-tax"]) {
      await expect(page.locator(`[data-section=${section}]`), section).toBeVisible();
    }
    // By default browsers print without backgrounds. Icons must look the same then, and not be filled squares.
    await page.evaluate(() => {
      const noBackgrounds = new CSSStyleSheet();
      noBackgrounds.replaceSync("* { background: none !important; }");
      document.adoptedStyleSheets.push(noBackgrounds);
    });
    const without = await page.pdf({ printBackground: false });
    const withBackgrounds = await page.pdf({ printBackground: true });
    // Only a few bytes of names may differ. Masks take kilobytes.
    expect(Math.abs(without.length - withBackgrounds.length)).toBeLessThan(500);
  });
});

function findLostInForcedColors(footer: Element): string[] {
  const background = getComputedStyle(footer).backgroundColor;
  const seen = (color: string) => color !== background && !/^(transparent|rgba\(.*, 0\))$/.test(color);
  const faults: string[] = [];
  if (!matchMedia("(forced-colors: active)").matches) faults.push("no forced colours");
  const choices = footer.querySelectorAll(
    "[data-section=newsletter] [type=submit], [data-section=view-changer] button, [data-section=country-switcher] summary, [data-section=social] a, [data-prominent]",
  );
  for (const choice of choices) {
    const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(choice);
    if (!(borderTopStyle === "solid" && Number.parseFloat(borderTopWidth) > 0 && seen(borderTopColor))) {
      faults.push(
        `${choice.textContent}: border ${borderTopWidth} ${borderTopStyle} ${borderTopColor} on ${background}`,
      );
    }
  }
  for (const element of footer.querySelectorAll<HTMLElement>("[data-icon]")) {
    const { color } = getComputedStyle(element);
    const { borderTopColor: ink, backgroundImage, maskImage } = getComputedStyle(element, "::before");
    // Flags keep their colours. Icons have the visitor's colour for such texts.
    if (backgroundImage === "none" && (!seen(ink) || ink !== color || maskImage === "none"))
      faults.push(`icon ${element.dataset.icon} ${element.textContent}: ${ink} on ${background}, beside ${color}`);
  }
  return faults;
}
