import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What axe objects to in a page, one line for each rule.
 * @param part - selector of what is looked at; without, everything is
 */
export async function findViolations(page: Page, part?: string): Promise<string[]> {
  // Legacy mode only means: no second page to combine the results of frames, of which there are none.
  const axe = new AxeBuilder({ page })
    .withTags(tags)
    .options({ resultTypes: ["violations"] })
    .setLegacyMode();
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  return violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ target }) => target).join(", ")}`);
}
