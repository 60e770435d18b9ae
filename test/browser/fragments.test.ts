import type { Page } from "playwright";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const affiliate = { name: "affiliateNumber", value: "1" };

describe("a footer on a page of somebody else", () => {
  const site = anySite;

  test("reduces a footer by the visitor's cookie, also one that the page inserts later", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    await page.context().addCookies([{ ...affiliate, url: shop.address(site) }]);
    await showHostPage(page, shop, { site, include: (footer) => [footer] });
    const markup = await (await fetch(`${shop.listener}/fragments/footer?site=${site.site}`)).text();
    await page.evaluate((html) => {
      const slot = document.createElement("div");
      slot.innerHTML = `<div>${html}</div>`;
      document.body.append(slot);
      const template = document.createElement("template");
      template.innerHTML = html;
      document.body.append(template.content);
    }, markup);
    await expect(page.locator("footer[data-reduced=true]")).toHaveCount(3);
    await expect(page.locator("[data-fragment] [data-section=legal]")).toHaveCount(3);
    await expect(page.locator("[data-section=newsletter], [data-section=teasers]")).toHaveCount(0);
  });
});

describe("a fragment on a page of somebody else", () => {
  const site = anySite;

  test("starts a fragment once, even if the page moves it", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site, include: (footer) => [footer, island("nl")] });
    await page.evaluate(() => {
      const fragment = document.querySelector("[data-fragment=form]");
      for (const parent of document.querySelectorAll("main, body")) if (fragment) parent.append(fragment);
    });
    expect(await islands(page)).toEqual(["nl"]);
  });

  test("starts once when two builds of the script meet", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await showHostPage(page, shop, { site });
    const script = await page.locator("script[type=module]").first().getAttribute("src");
    await page.addScriptTag({ type: "module", url: `${script}?other-build` });
    await page.evaluate(() => {
      window.addEventListener("storefront:consent-open", (event) => {
        event.preventDefault();
        document.documentElement.dataset.opened = `${document.documentElement.dataset.opened ?? ""}1`;
      });
    });
    await page.locator("a[data-consent]").first().click();
    await expect(page.locator("html")).toHaveAttribute("data-opened", "1");
    expect(requests.filter((path) => path.endsWith("/getassignment"))).toHaveLength(1);
  });

  test("keeps the ids of islands apart, and what refers to them together", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site, include: (footer) => [footer, island("pw"), island("nl"), island("nl")] });
    await page.evaluate((html) => document.body.insertAdjacentHTML("beforeend", html), island("nl"));
    await expect.poll(async () => new Set(await islands(page)).size).toBe(4);

    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)]);
    for (const [index, prefix] of (await islands(page)).entries()) {
      const form = page.locator(forms).nth(index);
      await form.getByText("Address").click();
      await expect(form.getByRole("textbox", { name: "Address", description: "Hint" })).toBeFocused();
      await expect(form.getByRole("link")).toHaveAttribute("href", `#_${prefix}R_0_`);
      await form.getByRole("radio").check();
    }
    await expect(page.locator(`${forms} :checked`)).toHaveCount(4);
  });
});

const forms = "[data-fragment=form] [data-island-prefix]";

/** Returns a fragment with an island whose ids look like React's. */
function island(prefix: string): string {
  const id = `_${prefix}R_0_`;
  return `<section data-fragment="form"><form data-island="form" data-island-prefix="${prefix}">
    <label for="${id}">Address</label> <input id="${id}" aria-describedby="${id}-hint other" name="email">
    <p id="${id}-hint">Hint</p> <a href="#${id}">Back</a> <input type="radio" name="${id}" aria-label="Choice">
  </form></section>`;
}

function islands(page: Page): Promise<(string | null)[]> {
  return page.locator(forms).evaluateAll((all) => all.map((element) => element.getAttribute("data-island-prefix")));
}
