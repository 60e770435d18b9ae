import type { Locator, Page } from "playwright";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";
import { phone, viewports } from "./viewports.ts";

const tablet = { viewport: viewports.TABLET };

describe("the service lists", () => {
  const site = anySite;
  const { groups } = site.footer.teaser;

  test("are collapsed in the small layout, until a tap opens one", async ({ open, shop }) => {
    const text = shop.texts(site);
    const page = await open(site, phone);
    await expect(teasers(page)).toHaveCount(groups.length);
    await expect(teasers(page).locator("ul").filter({ visible: true })).toHaveCount(0);
    for (const [index, { heading, links }] of groups.entries()) {
      const teaser = teasers(page).nth(index);
      const headline = text(heading.link.text);
      await summary(teaser).filter({ hasText: headline }).tap();
      await expect(teaser.getByRole("link").filter({ visible: true })).toContainText(
        links.map(({ link }) => text(link.text)),
      );
    }
    await summary(teasers(page).first()).tap();
    await expect(teasers(page).first().getByRole("list")).toBeHidden();
  });

  test("are reached by keyboard and by screen readers without opening anything, in a larger layout", async ({
    open,
  }) => {
    const page = await open(site, tablet);
    const names = await shownLinks(page).allTextContents();
    await page.evaluate(recordFocus);
    await shownLinks(page).first().focus();
    for (const _ of names.slice(1)) await page.keyboard.press("Tab");
    const focused = await page.locator("html").getAttribute("data-focused");
    expect(focused?.trim().split("\n")).toEqual(names);
    const devtools = await page.context().newCDPSession(page);
    const { nodes } = await devtools.send("Accessibility.getFullAXTree");
    const announced = nodes.filter((node) => node.role?.value === "link").map((node) => node.name?.value);
    expect(announced).toEqual(expect.arrayContaining(names));
    await devtools.detach();
  });
});

function shownLinks(page: Page): Locator {
  return page.locator("[data-section=teasers] a").filter({ visible: true });
}

function recordFocus() {
  const root = document.documentElement;
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) root.dataset.focused = `${root.dataset.focused ?? ""}\n${target.textContent}`;
  });
}

function teasers(page: Page): Locator {
  return page.locator('[data-section="teasers"]').getByRole("navigation");
}

function summary(teaser: Locator): Locator {
  return teaser.locator("summary");
}
