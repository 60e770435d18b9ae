import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { stylesChangedBy } from "./computed-styles.ts";
import { expect } from "./expect.ts";
import { footerStylesheets, hostElements, hostStylesheet, showHostPage } from "./host-page.ts";
import { hostileStyles } from "./hostile-styles.ts";
import { expectDrawn, loadImages } from "./load-everything.ts";
import { fillInRequired, wake } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const footerElements = ".slot footer, .slot footer *";

describe("a footer on a page of somebody else", () => {
  const site = anySite;
  const include = (footer: string) => [footer];

  test.for(Object.entries(hostileStyles))("looks the same under %s", async ([, css], { sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site, css, include });
    expect(await stylesChangedBy(page, { stylesheets: hostStylesheet, elements: footerElements })).toEqual([]);
  });

  test("is reached by rules with !important on bare elements, as its documents say", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site, css: "a { color: rgb(1, 2, 3) !important; }" });
    await expect(page.locator("footer [data-section=legal] a").last()).toHaveCSS("color", "rgb(1, 2, 3)");
  });

  test("keeps its sizes when the root's font size is 62.5 %, except for the payment logos, which follow it", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site, css: "html { font-size: 62.5%; }", include });
    const logo = page.locator("[data-section=payment] img").first();
    await expect(logo).toHaveCSS("width", "66px");
    await expect(logo).toHaveCSS("height", "44px");
    const changed = await stylesChangedBy(page, {
      stylesheets: hostStylesheet,
      elements: footerElements,
      ignoreLayout: true,
    });
    expect(changed).toEqual([]);
  });

  test("looks the same on a phone under all hostile rules at once", async ({ sharedPage, shop }) => {
    const page = await sharedPage(phone);
    await showHostPage(page, shop, { site, css: Object.values(hostileStyles).join("\n"), include });
    expect(await stylesChangedBy(page, { stylesheets: hostStylesheet, elements: footerElements })).toEqual([]);
  });

  test("has a header above it that looks the same under all of them, too", async ({ sharedPage, shop }) => {
    const html = await (await fetch(`${shop.listener}/fragments/header/${site.site}`)).text();
    const css = Object.values(hostileStyles).join("\n");
    for (const window of [desktop, phone]) {
      const page = await sharedPage(window);
      await showHostPage(page, shop, { site, css, include: (footer) => [html, footer] });
      await expect(page.locator(".slot header nav a").last()).toBeVisible();
      const elements = ".slot header, .slot header *";
      expect(await stylesChangedBy(page, { stylesheets: hostStylesheet, elements })).toEqual([]);
    }
  });

  test("changes no style outside", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site });
    const changed = await stylesChangedBy(page, {
      stylesheets: footerStylesheets,
      elements: hostElements,
      ignoreLayout: true,
    });
    expect(changed).toEqual([]);
  });

  test("works twice on one page", async ({ sharedPage, shop }) => {
    const page = await sharedPage(phone);
    await showHostPage(page, shop, { site });
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)]);

    const footers = page.locator("footer[data-fragment=footer]");
    const lists = footers.locator("[data-section=teasers] ul").filter({ visible: true });
    await footers.last().locator("[data-section=teasers] summary").first().tap();
    await expect(lists).toHaveCount(1);
    await footers.first().locator("[data-section=teasers] summary").first().tap();
    await expect(lists).toHaveCount(2);

    await page.evaluate(() => {
      window.addEventListener("storefront:consent-open", (event) => {
        event.preventDefault();
        document.documentElement.dataset.opened = `${document.documentElement.dataset.opened ?? ""}1`;
      });
    });
    await footers.first().locator("a[data-consent]").tap();
    await footers.last().locator("a[data-consent]").tap();
    await expect(page.locator("html")).toHaveAttribute("data-opened", "11");
  });

  test("needs nothing that a strict Content-Security-Policy forbids", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        console.error(`violates ${violatedDirective}: ${blockedURI}`);
      });
    });
    const { contentSecurityPolicy: needed } = await (await fetch(`${shop.listener}/fragments/footer/DE.json`)).json();
    const directives = Object.entries<string[]>({
      "default-src": ["'none'"],
      "require-trusted-types-for": ["'script'"],
      "trusted-types": ["'none'"],
      ...needed,
    });
    const policy = directives.map(([directive, sources]) => [directive, ...sources].join(" ")).join("; ");
    await showHostPage(page, shop, { site, policy });
    const footer = page.locator("footer[data-fragment=footer]").last();
    await footer.locator("[data-section=country-switcher] summary").click();
    await expect(footer.locator("[data-section=country-switcher] ul")).toHaveCSS("position", "absolute");
    await expectDrawn(footer);
    await loadImages(footer.locator("img"));
    const newsletter = footer.locator("[data-island=newsletter]");
    await wake(newsletter);
    await fillInRequired(newsletter, site);
    await newsletter.locator("[type=submit]").click();
    await expect(newsletter.locator("[role=status] :focus")).toHaveCount(1);
    const shown = page.waitForEvent("load");
    await footer.locator("[data-section=view-changer] button:visible").click();
    await shown;
  });
});
