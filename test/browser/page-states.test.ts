import type { RequestListener } from "node:http";
import { createOverloadResponse } from "../../server/rendering/overload-response.tsx";
import type { Site } from "../../server/sites/countries.ts";
import { openStore } from "../../server/store/open-store.ts";
import { callerOf, lastMail, openNewsletter, signUp } from "../support/newsletter-test.ts";
import { createTestApp, testLogger } from "../support/test-app.ts";
import { createStorePlace } from "../support/test-store.ts";
import { siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { findOverflows } from "./find-overflows.ts";
import { findViolations, withoutFooter } from "./find-violations.ts";
import { at, type PageStates, pageStates, pagesOfBrand } from "./page-states.ts";
import { test } from "./preview/open-preview.ts";
import type { Shop } from "./start-shop.ts";
import { stillDesktop, viewports } from "./viewports.ts";

const { app: demo, deps } = await createTestApp({ demo: true });
const busy = createOverloadResponse(deps);
const store = await openStore({ ...(await createStorePlace()), logger: testLogger });
const { app: broken } = await createTestApp({ store });
await store.close();

const french = siteWith(({ locale }) => locale === "fr-CH");
const pages: Record<string, PageStates> = {
  ...pageStates,
  "the sign-up page": {
    site: french,
    states: {
      "at first": at("/subscribenewsletter"),
      async "after a sign-up without script"(page) {
        await page.locator("main form").evaluate((form: HTMLFormElement) => form.submit());
        await expect(page.locator("main [aria-invalid=true]").first()).toBeVisible();
      },
      "after a link that isn't valid": at("/newsletter/confirm?token=unknown"),
      "for a link to unsubscribe": at("/newsletter/unsubscribe?token=unknown"),
      "after a confirmation": at("/newsletter/confirmed"),
    },
  },
  "the subscriber's page": {
    site: siteWith(({ newsletter }) => newsletter.salutation === "required"),
    states: {
      "without a link": at("/newsletter/preferences"),
      async "with a wrong address"(page) {
        await page.locator("main [name=email]").fill("nobody@nowhere");
        await page.locator("main form").evaluate((form: HTMLFormElement) => form.submit());
        await expect(page.locator("main [name=email]")).toBeFocused();
      },
      async "with all fields"(page, shop, site) {
        const token = await subscribe(shop, site);
        await at(`/newsletter/preferences?token=${token}`)(page, shop, site);
        await expect(page.locator("main [name=categories]")).toHaveCount(13);
      },
      async "after a change"(page) {
        await page.locator("main [name=categories]").first().check();
        await page.locator("main [type=submit]").first().click();
        await expect(page.locator("main .sf-notification[data-state=success]")).toBeVisible();
      },
      async "with faults"(page) {
        await page.locator("main [name=firstName]").fill("");
        await page.locator("main [name=lastName]").fill("");
        await page
          .locator("main form")
          .first()
          .evaluate((form: HTMLFormElement) => form.submit());
        await expect(page.locator("main .sf-error-summary")).toBeFocused();
      },
      async "after the end"(page, shop, site) {
        const token = await page.locator("main [name=token]").first().inputValue();
        await page.locator("main [action='/newsletter/unsubscribe'] [type=submit]").click();
        await at(`/newsletter/preferences?token=${token}`)(page, shop, site);
        await expect(page.locator("main a[href='/subscribenewsletter']")).toBeVisible();
      },
    },
  },
  "the page of all countries": { site: french, states: { "at first": at("/countries") } },
  "the index of widgets": {
    site: french,
    states: { "at first": (page, shop) => page.goto(`${shop.listener}/widgets`) },
  },
  "the demo": {
    site: siteWith(({ locale }) => locale === "hu-HU"),
    states: {
      "with a category": from(demo, "/category/coffee"),
      async "with a skip link in sight"(page) {
        await page.keyboard.press("Tab");
        await expect(page.locator(".sf-skip").first()).toBeFocused();
      },
      "with a legal text": (page, shop, site) => from(demo, site.newsletter.links.privacy)(page, shop, site),
    },
  },
  "an error page": {
    site: siteWith(({ locale }) => locale === "pl-PL"),
    states: {
      "for an unknown page": at("/nowhere"),
      "for a request that is refused": at("/logout"),
      "of a service that fails": from(broken, "/newsletter/confirm?token=of-the-length-of-any"),
      async "of a service that is busy"(page, shop, site) {
        await from(busy, "/busy")(page, shop, site);
        await expect(page.locator("header"), "the inline style is allowed").toHaveCSS("font-weight", "700");
      },
    },
  },
};

test.for(Object.entries(pages))(
  "has no accessibility violation and fits 320 px in every state: %s",
  async ([name, { site, part, states }], { shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    const found: string[] = [];
    for (const [state, show] of Object.entries(states)) {
      await page.setViewportSize(viewports.CLASSIC);
      await show(page, shop, site);
      await page.setViewportSize({ width: 320, height: 640 });
      const faults = await findViolations(page, part ?? withoutFooter, !pagesOfBrand.includes(name));
      faults.push(...(await page.evaluate(findOverflows)));
      found.push(...faults.map((fault) => `${state}: ${fault}`));
    }
    expect(found).toEqual([]);
  },
);

/** Subscribes an address, and returns the token of the page. */
async function subscribe(shop: Shop, { site }: Site): Promise<string> {
  const bench = await openNewsletter(shop.store.db, { startsAt: Date.now() });
  const email = `subscriber-of-${site}@states.example`;
  await bench.newsletter.confirm(await signUp(bench, email, site), callerOf(site));
  return (await lastMail(bench.db, email, "welcome")).preferencesToken ?? "";
}

/**
 * @param app - answers instead of the service
 */
function from(app: RequestListener, path: string): PageStates["states"][string] {
  return (page, shop, site) => {
    shop.answer(shop.address(site, path), app);
    return at(path)(page, shop, site);
  };
}
