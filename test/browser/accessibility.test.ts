import type { RequestListener } from "node:http";
import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { addAccount, findAccount } from "../../server/accounts/accounts.ts";
import { createOverloadResponse } from "../../server/rendering/overload-response.tsx";
import type { Site } from "../../server/sites/countries.ts";
import { openStore } from "../../server/store/open-store.ts";
import { createTestApp, sites, testLogger } from "../support/test-app.ts";
import { createStorePlace } from "../support/test-store.ts";
import { anySite } from "./chosen-sites.ts";
import { findViolations, withoutFooter } from "./find-violations.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop, phone, viewports } from "./viewports.ts";

type Show = (page: Page, shop: Shop, site: Site) => Promise<unknown>;

const { app: demo, deps } = await createTestApp({ demo: true });
const busy = createOverloadResponse(deps);
const store = await openStore({ ...(await createStorePlace()), logger: testLogger });
const { app: broken } = await createTestApp({ store });
await store.close();
const ada = { email: "ada@shop.example", password: "correct horse battery staple", firstName: "Ada" };

/** Pages, and what they may say; newsletter block, preview and widgets have tests of their own. */
const pages: Record<string, Show> = {
  "a refused login": async (page, shop, site) => {
    await signIn(page, shop, site, "wrong");
    await expect(page.locator("main [role=alert]")).toContainText(/\S/);
  },
  "a login that has to wait": async (page, shop, site) => {
    await page.route("**/service/login/api/v1/login", (route) => route.fulfill({ status: 429 }));
    await signIn(page, shop, site, "wrong");
    await expect(page.locator("main [role=alert]")).toContainText(/\d/);
  },
  "a page for who is signed in": async (page, shop, site) => {
    await signIn(page, shop, site, ada.password);
    await expect(page.locator("header [action='/logout']")).toBeVisible();
  },
  "a refused login of staff": async (page, shop, site) => {
    await page.goto(shop.address(site, "/preview"));
    await page.locator("[name=user]").fill(ada.email);
    await page.locator("main [name=password]").fill("wrong");
    await page.locator("main [type=submit]").click();
    await expect(page.locator("main .sf-notification")).toBeVisible();
  },
  "the sign-up page": at("/subscribenewsletter"),
  "a sign-up that is sent without script": async (page, shop, site) => {
    await page.route("**/*.js", (route) => route.abort());
    await page.goto(shop.address(site, "/subscribenewsletter"));
    await page.locator("main form").evaluate((form: HTMLFormElement) => form.submit());
    await expect(page.locator("main [aria-invalid=true]").first()).toBeVisible();
  },
  "a link that isn't valid": at("/newsletter/confirm?token=unknown"),
  "a link to unsubscribe": at("/newsletter/unsubscribe?token=unknown"),
  "what a link has done": at("/newsletter/confirmed"),
  "a category of the demo": at("/category/coffee", demo),
  "a legal page of the demo": (page, shop, site) => at(site.newsletter.links.privacy, demo)(page, shop, site),
  "an unknown page": at("/nowhere"),
  "a request that is refused": at("/newsletter"),
  "a service that fails": at("/newsletter/confirm?token=of-the-length-of-any", broken),
  "a service that is busy": async (page, shop, site) => {
    await at("/busy", busy)(page, shop, site);
    await expect(page.locator("header"), "the inline style is allowed").toHaveCSS("font-weight", "700");
  },
  "the overview": (page, shop) => page.goto(`${shop.listener}/`),
};
/** States of the whole page, of its footer, too. */
const footerStates: Record<string, Show> = {
  "the mobile view": withCookie("platform", "smartphone"),
  "the view for tablets": withCookie("platform", "tablet"),
  "the desktop view": withCookie("platform", "desktop"),
  "the reduced footer": withCookie("affiliateNumber", "1"),
};
/** Each page is looked at in one of so many countries, as axe takes its time. */
const shares = 4;

describe.for(sites.map((site, index) => ({ ...site, index })))("$site", ({ index, ...site }) => {
  test("has no accessibility violation on a phone or in a large window, with everything open", async ({ open }) => {
    const page = await open(site, phone);
    await openDisclosures(page);
    expect(await findViolations(page), "on a phone").toEqual([]);
    await page.setViewportSize(viewports.CLASSIC);
    await openDisclosures(page);
    expect(await findViolations(page), "in a large window").toEqual([]);
  });

  test("has no accessibility violation on its other pages", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(Math.floor(index / shares) % 2 === 0 ? phone : desktop);
    const found: Record<string, string[]> = {};
    const shown = Object.entries({ ...pages, ...footerStates }).filter((_page, i) => i % shares === index % shares);
    for (const [name, show] of shown) {
      await show(page, shop, site);
      found[name] = await findViolations(page, name in footerStates ? undefined : withoutFooter);
      await page.unrouteAll();
      await page.context().clearCookies();
    }
    expect(found).toEqual(Object.fromEntries(shown.map(([name]) => [name, []])));
  });
});

describe("a site", () => {
  test.for([phone, desktop])(
    "has no accessibility violation before anything is open: %j",
    async (options, { open }) => {
      const page = await open(anySite, options);
      expect(await findViolations(page)).toEqual([]);
    },
  );
});

/** @param listener - what answers in place of the service */
function at(path: string, listener?: RequestListener): Show {
  return async (page, shop, site) => {
    const address = shop.address(site, path);
    if (listener) shop.answer(address, listener);
    await page.goto(address);
  };
}

function withCookie(name: string, value: string): Show {
  return async (page, shop, site) => {
    await page.context().addCookies([{ name, value, url: shop.address(site) }]);
    await page.goto(shop.address(site));
  };
}

async function signIn(page: Page, shop: Shop, site: Site, password: string) {
  if (!(await findAccount(shop.store.db, "customer", ada.email))) await addAccount(shop.store.db, "customer", ada);
  await page.goto(shop.address(site, "/login"));
  // Before, the browser itself would send the form, to another address.
  const form = page.locator("main [data-island-state=ready] form");
  await form.locator("[name=email]").fill(ada.email);
  await form.locator("[name=password]").fill(password);
  await form.locator("[type=submit]").click();
}

/** Opens what shows and is closed. */
async function openDisclosures(page: Page) {
  await page.locator("details:not([open]) > summary:visible").evaluateAll((all: HTMLElement[]) => {
    for (const summary of all) summary.click();
  });
}
