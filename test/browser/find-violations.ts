import axe from "axe-core";
import type { Page } from "playwright";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Everything but the footer, which is the same on every page. */
export const withoutFooter = { exclude: "footer[data-fragment=footer]" };

/**
 * What axe objects to in a page, one line for each rule.
 * @param part - selector of what is looked at, or of what isn't; without, everything is
 */
export async function findViolations(page: Page, part?: string | { exclude: string }): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([context, values]) => {
      const results = await window.axe.run(context ?? document, {
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
