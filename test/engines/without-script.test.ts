import { describe, expect } from "vitest";
import { plainSite } from "../browser/chosen-sites.ts";
import { blockText } from "../support/newsletter-pages.ts";
import { test as base } from "./engine-test.ts";
import { confirm, fillInRequired } from "./steps.ts";

const test = base.extend("scripting", { scope: "worker" }, () => false);

const site = plainSite;
const serviceList = "[data-section=teasers] nav";

describe("without script", () => {
  test("the footer opens its lists on a phone", async ({ shop, visitor }) => {
    await visitor.openOnPhone(shop.address(site));
    expect(await visitor.isShown(`${serviceList} ul`)).toBe(false);
    await visitor.click(`${serviceList} summary`);
    await expect.poll(() => visitor.isShown(`${serviceList} ul`)).toBe(true);
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
});
