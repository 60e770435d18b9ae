import { describe, expect } from "vitest";
import { anySite, siteWith } from "../browser/chosen-sites.ts";
import { test } from "./engine-test.ts";

const site = anySite;
const other = siteWith(({ site: code }) => code !== site.site);
const footer = "footer[data-fragment=footer]";
const serviceList = "[data-section=teasers] nav";
const switcher = "[data-section=country-switcher]";
const tooWide = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth - clientWidth;

describe("the footer", () => {
  test("shows its service lists in a large window", async ({ shop, visitor }) => {
    await visitor.open(shop.address(site));
    await expect.poll(() => visitor.look(footer, ({ dataset }) => dataset.platform)).toBe("CLASSIC");
    expect(await visitor.isShown(`${serviceList} ul`)).toBe(true);
    expect(await visitor.look("html", tooWide)).toBe(0);
  });

  test("opens and closes its service lists on a phone", async ({ shop, visitor }) => {
    await visitor.openOnPhone(shop.address(site));
    await expect.poll(() => visitor.look(footer, ({ dataset }) => dataset.platform)).toBe("MATCH");
    expect(await visitor.isShown(`${serviceList} ul`)).toBe(false);
    await visitor.click(`${serviceList} summary`);
    await expect.poll(() => visitor.isShown(`${serviceList} ul`)).toBe(true);
    await visitor.press("Enter");
    await expect.poll(() => visitor.isShown(`${serviceList} ul`)).toBe(false);
    expect(await visitor.look("html", tooWide)).toBe(0);
  });

  test("opens the country switcher, closes it on Escape, and leads to the other country", async ({ shop, visitor }) => {
    await visitor.open(shop.address(site));
    await visitor.click(`${switcher} summary`);
    await visitor.press("Tab");
    await expect.poll(() => visitor.hasFocus(`${switcher} a`)).toBe(true);
    await visitor.press("Escape");
    await expect.poll(() => visitor.isShown(`${switcher} a`)).toBe(false);
    expect(await visitor.hasFocus(`${switcher} summary`)).toBe(true);
    await visitor.press("Enter");
    await visitor.click(`${switcher} a[data-code="${other.switcher.code}"]`);
    await expect.poll(() => visitor.address()).toBe(shop.address(other));
    expect(await visitor.look("html", ({ lang }) => lang)).toBe(other.locale);
  });
});

describe("a page's faults", () => {
  test("are seen", async ({ driver, shop, visitor }) => {
    await visitor.open(shop.address(anySite));
    await driver.evaluate(`void setTimeout(() => {
      document.body.setAttribute("style", "color: red");
      console.error("planted");
      Promise.reject(new Error("planted"));
      throw new Error("planted");
    })`);
    const faults: string[] = [];
    await expect.poll(() => faults.push(...shop.takeFaults())).toBe(4);
    expect(faults.map((fault) => fault.split(" ")[0]).sort()).toEqual(["console", "policy:", "rejected:", "uncaught:"]);
  });
});
