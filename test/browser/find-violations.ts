import axe from "axe-core";
import type { Page } from "playwright";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Everything except the footer, which is the same on every page. */
export const withoutFooter = { exclude: "footer[data-fragment=footer]" };

/**
 * Lists axe's findings in a page, one line per rule.
 * @param part - selector of the part to check, or of a part to exclude; without it, everything is checked
 * @param contrast - whether to compare colours, which takes as long as everything else; one window per page is enough,
 * because the brand's test finds the colours in the others
 */
export async function findViolations(
  page: Page,
  part?: string | { exclude: string },
  contrast = true,
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([part, values, enabled]) => {
      // Removed from the document, it costs axe no time.
      const left = typeof part === "object" ? document.querySelector(part.exclude) : null;
      const gap = document.createComment("");
      left?.replaceWith(gap);
      const results = await window.axe.run(typeof part === "string" ? part : document, {
        runOnly: { type: "tag", values },
        rules: { "color-contrast": { enabled } },
        resultTypes: ["violations"],
        // Frames have documents of their own, into which axe isn't loaded.
        iframes: false,
        // None of these rules reads stylesheets. axe would copy them into an inline style, which the policy forbids.
        preload: { assets: ["media"] },
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
