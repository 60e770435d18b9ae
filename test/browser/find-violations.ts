import axe from "axe-core";
import type { Page } from "playwright";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What axe objects to in a page, one line for each rule.
 * @param part - selector of what is looked at; without, everything is
 */
export async function findViolations(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([selector, values]) => {
      const results = await window.axe.run(selector ?? document, {
        runOnly: { type: "tag", values },
        resultTypes: ["violations"],
        // Frames hold documents of their own, in which axe isn't.
        iframes: false,
      });
      return results.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        targets: nodes.map(({ target }) => target),
      }));
    },
    [part, tags] as const,
  );
  return violations.map(({ id, help, targets }) => `${id} (${help}): ${targets.join(", ")}`);
}
