import type { Page, Route } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { anySite } from "./chosen-sites.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

const statusPath = "/service/newsletter/api/private/customers/newsletter-status";

describe("a page of somebody else", () => {
  const site = anySite;

  test.for(["WAITING_FOR_DOI", "SUBSCRIBED"])(
    "takes the newsletter out of every footer when the visitor's status is %s",
    async (status, { newPage, shop }) => {
      const page = await newPage(desktop);
      await logIn(page, shop, site);
      const asked = await answerStatus(page, (route) => route.fulfill({ json: { status } }));
      await showHostPage(page, shop, { site });
      await expect(newsletters(page)).toHaveCount(0);
      expect(asked).toEqual([expect.stringContaining("LoginToken=")]);
    },
  );

  test.for<[string, (route: Route) => Promise<void>]>([
    ["has another status", (route) => route.fulfill({ json: { status: "UNSUBSCRIBED" } })],
    ["has an unknown status", (route) => route.fulfill({ json: { status: "LATER" } })],
    ["has no status", (route) => route.fulfill({ json: null })],
    ["gets something else", (route) => route.fulfill({ contentType: "text/html", body: "<p>SUBSCRIBED</p>" })],
    ["gets no answer", (route) => route.abort("aborted")],
  ])("keeps the newsletter when the visitor %s", async ([, answer], { newPage, shop }) => {
    const page = await newPage(desktop);
    await logIn(page, shop, site);
    const asked = await answerStatus(page, answer);
    await showHostPage(page, shop, { site });
    await expect.poll(() => asked.length).toBe(1);
    await page.waitForLoadState("networkidle");
    await expect(newsletters(page)).toHaveCount(2);
  });

  test("doesn't ask for the status of a visitor who isn't logged in", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await expectNotAsked(page, () => showHostPage(page, shop, { site }));
    await expect(newsletters(page)).toHaveCount(2);
  });

  test("doesn't ask for the status where no newsletter shows", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await logIn(page, shop, site);
    await expectNotAsked(page, () => showHostPage(page, shop, { site, include: (footer) => [hidden + footer] }));
    await page.context().addCookies([{ name: "xc-app", value: "new", url: shop.address(site) }]);
    await expectNotAsked(page, () => showHostPage(page, shop, { site }));
  });
});

/** A page's own way to hide the newsletter before the footer comes. */
const hidden = '<script>document.documentElement.dataset.newsletterFormHidden = "true"</script>';

async function logIn(page: Page, shop: Shop, site: Site) {
  await page.route("**/customers/base-data", (route) => route.fulfill({ json: {} }));
  await page.context().addCookies([{ name: "LoginToken", value: "a.b.c", url: shop.address(site) }]);
}

function newsletters(page: Page) {
  return page.locator("[data-fragment] [data-section=newsletter]");
}

/** @returns the cookies of each request for the status, as they come */
async function answerStatus(page: Page, answer: (route: Route) => Promise<void>): Promise<(string | null)[]> {
  const asked: (string | null)[] = [];
  await page.route(`**${statusPath}`, async (route) => {
    asked.push(await route.request().headerValue("Cookie"));
    await answer(route);
  });
  return asked;
}

async function expectNotAsked(page: Page, show: () => Promise<void>) {
  const asked = await answerStatus(page, (route) => route.fulfill({ json: { status: "SUBSCRIBED" } }));
  const assigned = page.waitForResponse(/\/getassignment$/);
  await show();
  await assigned;
  expect(asked).toEqual([]);
}
