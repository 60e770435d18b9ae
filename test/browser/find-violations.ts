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
 * @param contrast - whether colours are compared, which takes as long as all else: a page needs it in one window only, as
 * the test of the brand finds the colours of the others
 */
export async function findViolations(
  page: Page,
  part?: string | { exclude: string },
  contrast = true,
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([part, values, enabled]) => {
      // Taken out of the document, it costs axe nothing.
      const left = typeof part === "object" ? document.querySelector(part.exclude) : null;
      const gap = document.createComment("");
      left?.replaceWith(gap);
      const results = await window.axe.run(typeof part === "string" ? part : document, {
        runOnly: { type: "tag", values },
        rules: { "color-contrast": { enabled } },
        resultTypes: ["violations"],
        // Frames hold documents of their own, in which axe isn't.
        iframes: false,
      });
      if (left) gap.replaceWith(left);
      return results.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        targets: nodes.map(({ target }) => target),
      }));
    },
    [part, tags, contrast] as const,
  );
  return violations.map(({ id, help, targets }) => `${id} (${help}): ${targets.join(", ")}`);
}
