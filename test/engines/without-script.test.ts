import { describe, expect } from "vitest";
import { plainSite, siteWith } from "../browser/chosen-sites.ts";
import { blockText } from "../support/newsletter-pages.ts";
import { test as base } from "./engine-test.ts";
import { confirm, fillInRequired, openLogin, signInAtSecondTry } from "./steps.ts";

const test = base.extend("scripting", { scope: "worker" }, () => false);

const site = plainSite;
const other = siteWith(({ site: code }) => code !== site.site);
const serviceList = "[data-section=teasers] nav";
const switcher = "[data-section=country-switcher]";

describe("without script", () => {
  test("the footer opens its lists on a phone", async ({ shop, visitor }) => {
    await visitor.openOnPhone(shop.address(site));
    expect(await visitor.isShown(`${serviceList} ul`)).toBe(false);
    await visitor.click(`${serviceList} summary`);
    await expect.poll(() => visitor.isShown(`${serviceList} ul`)).toBe(true);
  });

  test("the footer changes the view and the country", async ({ shop, visitor }) => {
    const text = shop.texts(site);
    await visitor.open(shop.address(site));
    await visitor.click("[data-section=view-changer] button");
    const button = () => visitor.text("[data-section=view-changer] button");
    await expect.poll(button).toBe(text(site.footer.viewChanger.toDesktop));
    await visitor.click("[data-section=view-changer] button");
    await expect.poll(button).toBe(text(site.footer.viewChanger.toMobile));
    await visitor.click(`${switcher} summary`);
    await visitor.click(`${switcher} a[data-code="${other.switcher.code}"]`);
    await expect.poll(() => visitor.address()).toBe(shop.address(other));
  });

  test("the newsletter shows the rest of its legal text, and hides it again", async ({ shop, visitor }) => {
    const text = "[data-section=newsletter] .sf-expandable-text";
    const height = async () => (await visitor.look(text, ({ clientHeight }) => clientHeight)) ?? 0;
    await visitor.open(shop.address(site));
    const collapsed = await height();
    await visitor.click(`${text} summary`);
    await expect.poll(height).toBeGreaterThan(collapsed);
    await visitor.click(`${text} summary`);
    await expect.poll(height).toBe(collapsed);
  });

  test("the newsletter leads to the voucher, once a mistake is put right", async ({ shop, visitor }) => {
    await visitor.open(shop.address(site));
    await visitor.write("[data-section=newsletter] [name=email]", "anna@nowhere");
    await visitor.press("Enter");
    await expect.poll(() => visitor.address()).toBe(shop.address(site, "/newsletter"));
    expect(await visitor.text("main form")).toContain(blockText(site)("error.email.invalid"));
    expect(shop.takeFaults()).toEqual(["422: POST /newsletter"]);
    const email = await fillInRequired(visitor, "main", site);
    await visitor.click("main form [type=submit]");
    await expect.poll(() => visitor.text("main [role=status]")).toContain(email);
    await confirm(visitor, shop, site, email);
  });

  test("a customer signs in at the second try, and is led on", async ({ shop, visitor }) => {
    await openLogin(visitor, shop, site);
    await signInAtSecondTry(visitor, shop, site, "422: POST /login");
  });
});
