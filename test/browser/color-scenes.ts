import type { Page } from "playwright";
import { expect } from "playwright/test";
import { widgetDocs } from "../../client/features/gallery/widget-docs.ts";
import type { Site } from "../../server/sites/countries.ts";
import { anySite, centralEuropeanSite, siteWith } from "./chosen-sites.ts";
import { address, answerSignUps, fillInRequired, openNewsletter } from "./open-newsletter.ts";
import { answerCalls, christmas, openPreview, openTests, panelOf } from "./preview/open-preview.ts";
import type { Shop } from "./start-shop.ts";

type Show = (page: Page, shop: Shop) => Promise<unknown>;

const longForm = siteWith(({ newsletter }) => newsletter.legals);

/** Pages, and what they may say, that show each colour on everything that may be behind it; each follows the one before. */
export const colorScenes: Record<string, Show> = {
  "the home page": (page, shop) => page.goto(shop.address(anySite)),
  "the home page on a phone": async (page, shop) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto(shop.address(anySite));
  },
  "a login with faults": async (page, shop) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(shop.address(anySite, "/login"));
    await page.locator("main [name=email]").focus();
    await expect(page.locator("main [data-island]")).toHaveAttribute("data-island-state", "ready");
    await page.locator("main [type=submit]").click();
    await expect(page.locator("main [aria-invalid]")).not.toHaveCount(0);
  },
  "a refused login": async (page) => {
    await page.locator("main [name=email]").fill(address);
    await page.locator("main [name=password]").fill("wrong");
    await page.locator("main [type=submit]").click();
    await expect(page.locator("main [role=alert]")).toContainText(/\S/);
  },
  "a refused login of staff": async (page, shop) => {
    await page.goto(shop.address(anySite, "/preview"));
    await page.locator("main [name=user]").fill(address);
    await page.locator("main [name=password]").fill("wrong");
    await page.locator("main [type=submit]").click();
    await expect(page.locator("main .sf-notification")).toBeVisible();
  },
  "a sign-up with faults": async (page, shop) => {
    const block = await openNewsletter(page, shop, longForm);
    await block.locator("[name=email]").fill(address);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[aria-invalid]")).not.toHaveCount(0);
  },
  "a sign-up that fails": async (page) => {
    await answerSignUps(page, { status: 503, json: {} });
    await signUp(page, longForm);
    await expect(page.locator("[data-section=newsletter] .sf-notification")).toBeVisible();
  },
  "a sign-up": async (page) => {
    await answerSignUps(page);
    await signUp(page, longForm);
    await expect(page.locator("[data-section=newsletter] form")).toBeHidden();
  },
  "the preview of another time": async (page, shop) => {
    const panel = await openPreview(page, shop, centralEuropeanSite, christmas);
    await expect(panel.getByRole("button", { name: /change:/ })).toHaveCount(2);
  },
  "a change that can't be shown": async (page) => {
    await answerCalls(page, "token", (route) => route.fulfill({ status: 503 }));
    await panelOf(page)
      .getByRole("button", { name: /change:/ })
      .first()
      .click();
    await expect(panelOf(page).locator(".sf-notification")).toBeVisible();
  },
  "the preview's settings": (page) => openTests(panelOf(page)),
  "a preview of now": async (page, shop) => {
    await page.context().clearCookies();
    await openPreview(page, shop, centralEuropeanSite);
  },
  "a preview that can't be checked": async (page) => {
    await answerCalls(page, "check", (route) => route.fulfill({ status: 500 }));
    await page.reload();
    await expect(page.getByRole("alert").locator(".sf-notification")).toBeVisible();
  },
  "the overview, from which something was copied": async (page, shop) => {
    await page.context().grantPermissions(["clipboard-write"]);
    await page.goto(shop.listener);
    await page.locator(".sf-code-copy").first().click();
    await expect(page.locator(".sf-code-status")).not.toBeEmpty();
  },
  "the index of widgets": (page, shop) => page.goto(`${shop.listener}/widgets`),
  "every widget": async (page, shop) => {
    await page.goto(`${shop.listener}/widgets/text-input`);
    await page.evaluate(
      gatherSpecimens,
      widgetDocs.map(({ widget }) => widget),
    );
  },
};

async function signUp(page: Page, site: Site) {
  const block = page.locator("[data-section=newsletter]");
  await fillInRequired(block, site);
  await block.locator("[type=submit]").click();
}

/** Runs in the page, so it has everything inside: brings the specimens of all widgets into it, in place of its own. */
async function gatherSpecimens(widgets: string[]) {
  const pages = await Promise.all(widgets.map(async (widget) => (await fetch(`/widgets/${widget}`)).text()));
  const own = document.querySelector(".sf-specimens");
  own?.replaceChildren();
  for (const page of pages) {
    own?.append(...new DOMParser().parseFromString(page, "text/html").querySelectorAll(".sf-specimen"));
  }
}
