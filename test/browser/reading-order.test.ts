import type { Locator } from "playwright";
import { describe, expect } from "vitest";
import { siteWith } from "./chosen-sites.ts";
import { expect as expectPage } from "./expect.ts";
import { readyBlock } from "./open-newsletter.ts";
import { christmas, openPreview, openTests, test } from "./preview/open-preview.ts";
import { desktop, phone } from "./viewports.ts";

/**
 * Sites whose newsletters differ most. `vitest -u` rewrites the files: read them as a visitor who can't see the page.
 */
const read = ["de-DE", "tr-TR"].map((locale) => siteWith((site) => site.locale === locale));

describe.for(read)("a screen reader on $site", (site) => {
  const expectReading = async (part: Locator, name: string) =>
    expect(shorten(await part.ariaSnapshot())).toMatchFileSnapshot(`reading-order/${site.site}-${name}.yml`);

  test("reads the footer on a phone, with its lists closed", async ({ open }) => {
    const page = await open(site, phone);
    await page.locator("html").evaluate((html) => html.setAttribute("data-newsletter-form-hidden", "true"));
    await expectReading(page.locator("footer[data-fragment=footer]"), "footer");
  });

  test("reads the newsletter with all its fields, and what is wrong", async ({ open }) => {
    const block = await readyBlock(await open(site, desktop));
    await block.locator("[type=submit]").click();
    await expectPage(block.locator("[aria-invalid=true]").first()).toBeFocused();
    await expectReading(block, "newsletter");
  });

  test("reads the login page, and what is missing", async ({ open }) => {
    const page = await open(site, desktop, "/login");
    const form = page.locator("main [data-island-state=ready] form");
    await form.locator("[type=submit]").click();
    await expectPage(form.locator("[aria-invalid=true]")).toHaveCount(2);
    await expectReading(page.locator("main"), "login");
  });

  test("reads the preview panel and its settings", async ({ sharedPage, shop }) => {
    const panel = await openPreview(await sharedPage(desktop), shop, site, christmas);
    await expectPage(panel.getByRole("button", { name: /^Next change/ })).toBeVisible();
    await openTests(panel);
    await expectReading(panel, "preview");
  });
});

/** Leaves out what isn't read aloud, such as link targets, and the ends of long texts. */
function shorten(snapshot: string): string {
  const heard = snapshot.replaceAll(/:\n +- \/(url|placeholder): .*/g, "");
  return `${heard.replaceAll(/^(.{100}).+?((?: \[\w+\])?:?)$/gm, "$1…$2")}\n`;
}
